"""What the claims and the figures of a paper share, and stands with them in config/papers/<paper>/__init__.py."""

from warpath.base import places

__path__ = [str(places.CONFIG / "papers")]
