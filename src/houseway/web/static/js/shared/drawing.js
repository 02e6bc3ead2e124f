// A drawing as wide as its place.

/**
 * Draw again whenever the place gets another width; returns what draws now.
 * @param {HTMLElement} place
 * @param {(width: number) => Node} draw
 */
export function drawn(place, draw) {
  let width = 0;
  const now = () => {
    width = Math.floor(place.clientWidth);
    if (width > 0) place.replaceChildren(draw(width));
  };
  const observer = new ResizeObserver(() => {
    if (Math.abs(place.clientWidth - width) > 4) now();
  });
  observer.observe(place);
  return now;
}
