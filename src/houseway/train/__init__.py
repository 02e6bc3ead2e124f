"""The school: exercises made, and answers judged, by an edition's own rules. It knows no game."""
