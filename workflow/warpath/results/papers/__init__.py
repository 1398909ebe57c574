"""The code of papers, config/papers/<paper>/claims.py: what their claims and figures share."""

from warpath.base import places

__path__ = [str(places.CONFIG / "papers")]
