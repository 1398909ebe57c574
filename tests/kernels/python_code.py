"""Compare two Python files as programs: comments, docstrings and the file's own names do not count."""

import ast


def compare(before, after):
    """Return `same`, `renamed` if only names of variables and functions differ, or None."""
    trees = [without_docstrings(ast.parse(source)) for source in (before, after)]
    if ast.dump(trees[0]) == ast.dump(trees[1]):
        return "same"
    return "renamed" if differ_in_names(*trees) else None


def without_docstrings(tree):
    for node in ast.walk(tree):
        if isinstance(node, (ast.Module, ast.FunctionDef, ast.ClassDef)):
            first = node.body[0]
            if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
                node.body = node.body[1:] or [ast.Pass()]
    return tree


def differ_in_names(before, after):
    """Whether renaming what the programs define, each to a name of its own, makes one program of the other."""
    defined = [definitions(before), definitions(after)]
    names = {}

    def equal(a, b):
        if type(a) is not type(b):
            return False
        if isinstance(a, list):
            return len(a) == len(b) and all(map(equal, a, b))
        if not isinstance(a, ast.AST):
            return a == b
        return all(
            renamed(x, y) if field == NAMING.get(type(a)) else equal(x, y)
            for (field, x), (_, y) in zip(ast.iter_fields(a), ast.iter_fields(b), strict=True)
        )

    def renamed(a, b):
        return names.setdefault(a, b) == b and (a == b or (a in defined[0] and b in defined[1]))

    return equal(before, after) and len(set(names.values())) == len(names)


NAMING = {ast.Name: "id", ast.arg: "arg", ast.FunctionDef: "name"}


def definitions(tree):
    """Return the names of variables, parameters and functions, except decorated functions such as the algorithm."""
    nodes = list(ast.walk(tree))
    assigned = {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    functions = {node.name for node in nodes if isinstance(node, ast.FunctionDef) and not node.decorator_list}
    return assigned | functions | {node.arg for node in nodes if isinstance(node, ast.arg)}
