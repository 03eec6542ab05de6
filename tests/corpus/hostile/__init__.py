"""Sources that nobody vouches for: each case is one id, each trap leaves a marker that must not appear."""
