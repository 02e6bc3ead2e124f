"""What solvers share and no game owns; each game's own solver is in its folder, `games/<game>/solve`."""
