"""Screen and keyboard: play, replay and rules in a terminal."""
