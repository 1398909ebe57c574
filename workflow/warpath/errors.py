"""The one exception that a user is meant to read."""


class UserError(Exception):
    """Something a user can mend: one line that names the place, what was found and what to do."""
