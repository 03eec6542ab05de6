"""What stands for the rest of a JavaScript or TypeScript construct, so that a piece of it parses on its own.

Node types and fields are those of tree-sitter-javascript and tree-sitter-typescript. Their grammars are lax
about meaning (``return`` outside functions, ``await`` anywhere), so only the shape is made again, with ``_``
for names and values. What does not belong here: where to cut.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class Wrap(NamedTuple):
    """What is written ahead of and behind a part of a construct.

    Attributes:
        opening: Stands for what the construct has ahead of the part.
        closing: Stands for what it has behind.
        expression: Whether an expression is expected behind the opening.
    """

    opening: str = ""
    closing: str = ""
    expression: bool = False


GUARDED = frozenset({"object", "object_pattern", "function_expression", "generator_function", "class"})
"""Expressions that read as a block or a declaration where a statement begins."""

GUARD = "_="
"""Makes an expression of what follows."""

LISTS: Mapping[str, Wrap] = {
    "program": Wrap(),
    "statement_block": Wrap("{", "}"),
    "class_body": Wrap("{", "}"),
    "object": Wrap("{", "}"),
    "object_pattern": Wrap("{", "}"),
    "array": Wrap("[", "]", True),
    "array_pattern": Wrap("[", "]", True),
    "arguments": Wrap("(", ")", True),
    "formal_parameters": Wrap("(", ")", True),
    "named_imports": Wrap("{", "}"),
    "export_clause": Wrap("{", "}"),
    "switch_body": Wrap("{", "}"),
    "switch_case": Wrap("case _:", ""),
    "switch_default": Wrap("default:", ""),
    "sequence_expression": Wrap("_,", "", True),
    "lexical_declaration": Wrap("let ", ""),
    "variable_declaration": Wrap("var ", ""),
    "enum_body": Wrap("{", "}"),
    "interface_body": Wrap("{", "}"),
    "object_type": Wrap("{", "}"),
    "type_arguments": Wrap("<", ">", True),
    "type_parameters": Wrap("<", ">", True),
    "tuple_type": Wrap("[", "]", True),
}
"""Constructs with a row of like parts, cut between any two: what is open there."""

UNFINISHED = frozenset({"sequence_expression", "lexical_declaration", "variable_declaration"})
"""Lists that cannot end with the comma between two parts: there a piece is closed with a further part."""

HUGGING = frozenset(
    {
        "arguments",
        "lexical_declaration",
        "variable_declaration",
        "sequence_expression",
        "formal_parameters",
        "type_arguments",
        "type_parameters",
    }
)
"""Lists that are cut inside their one large part, if the others are small, and not between their parts."""

BRACKETED = frozenset(
    {
        "statement_block",
        "class_body",
        "object",
        "array",
        "arguments",
        "switch_body",
        "enum_body",
        "interface_body",
        "object_type",
    }
)
"""Lists in brackets of which every run of whole parts is one again."""

NAMED_LISTS = frozenset(
    {
        "program",
        "statement_block",
        "class_body",
        "object",
        "enum_body",
        "interface_body",
        "object_type",
        "switch_case",
        "switch_default",
        "lexical_declaration",
        "variable_declaration",
    }
)
"""Lists whose parts may have names that a reader looks for."""

_PLAIN = Wrap()

INTO: Mapping[tuple[str, str], Wrap] = {
    ("export_statement", "declaration"): _PLAIN,
    ("export_statement", "value"): Wrap("export default ", "", True),
    ("export_statement", "export_clause"): Wrap("export ", ""),
    ("import_statement", "import_clause"): Wrap("import ", ' from "_"'),
    ("import_clause", "named_imports"): _PLAIN,
    ("ambient_declaration", ""): _PLAIN,
    ("expression_statement", ""): _PLAIN,
    ("lexical_declaration", "variable_declarator"): Wrap("let ", ""),
    ("variable_declaration", "variable_declarator"): Wrap("var ", ""),
    ("variable_declarator", "value"): Wrap("_=", "", True),
    ("variable_declarator", "name"): Wrap("", "=_", True),
    ("variable_declarator", "type"): Wrap("_", ""),
    ("assignment_expression", "right"): Wrap("_=", "", True),
    ("assignment_expression", "left"): Wrap("", "=_"),
    ("augmented_assignment_expression", "right"): Wrap("_=", "", True),
    ("assignment_pattern", "right"): Wrap("_=", "", True),
    ("object_assignment_pattern", "right"): Wrap("_=", "", True),
    ("pair", "value"): Wrap("_:", "", True),
    ("pair_pattern", "value"): Wrap("_:", "", True),
    ("pair", "key"): Wrap("", ":_"),
    ("computed_property_name", ""): Wrap("[", "]", True),
    ("field_definition", "value"): Wrap("_=", "", True),
    ("public_field_definition", "value"): Wrap("_=", "", True),
    ("public_field_definition", "type"): Wrap("_", ""),
    ("call_expression", "arguments"): Wrap("_", "", True),
    ("call_expression", "function"): _PLAIN,
    ("call_expression", "type_arguments"): Wrap("_", "()"),
    ("new_expression", "arguments"): Wrap("new _", "", True),
    ("new_expression", "constructor"): Wrap("new ", "", True),
    ("member_expression", "object"): _PLAIN,
    ("subscript_expression", "object"): _PLAIN,
    ("subscript_expression", "index"): Wrap("_[", "]", True),
    ("non_null_expression", ""): _PLAIN,
    ("parenthesized_expression", ""): Wrap("(", ")", True),
    ("unary_expression", "argument"): _PLAIN,
    ("await_expression", ""): _PLAIN,
    ("yield_expression", ""): _PLAIN,
    ("spread_element", ""): Wrap("...", "", True),
    ("return_statement", ""): _PLAIN,
    ("throw_statement", ""): _PLAIN,
    ("arrow_function", "body"): Wrap("()=>", "", True),
    ("arrow_function", "parameters"): Wrap("", "=>_", True),
    ("function_expression", "body"): Wrap("function()", ""),
    ("function_expression", "parameters"): Wrap("function", "{}"),
    ("generator_function", "body"): Wrap("function()", ""),
    ("generator_function", "parameters"): Wrap("function", "{}"),
    ("function_declaration", "body"): Wrap("function _()", ""),
    ("function_declaration", "parameters"): Wrap("function _", "{}"),
    ("generator_function_declaration", "body"): Wrap("function _()", ""),
    ("generator_function_declaration", "parameters"): Wrap("function _", "{}"),
    ("function_signature", "parameters"): Wrap("function _", ""),
    ("function_signature", "type_parameters"): Wrap("function _", "()"),
    ("function_signature", "return_type"): Wrap("function _()", ""),
    ("method_definition", "body"): Wrap("_()", ""),
    ("method_definition", "parameters"): Wrap("_", "{}"),
    ("method_signature", "parameters"): Wrap("_", ""),
    ("method_signature", "return_type"): Wrap("_()", ""),
    ("abstract_method_signature", "parameters"): Wrap("_", ""),
    ("construct_signature", "parameters"): Wrap("new", ""),
    ("call_signature", "parameters"): _PLAIN,
    ("class_declaration", "body"): Wrap("class _", ""),
    ("abstract_class_declaration", "body"): Wrap("class _", ""),
    ("class", "body"): Wrap("class", ""),
    ("class_declaration", "class_heritage"): Wrap("class _ ", "{}"),
    ("class", "class_heritage"): Wrap("class ", "{}"),
    ("class_heritage", ""): Wrap("extends ", "", True),
    ("class_heritage", "extends_clause"): _PLAIN,
    ("extends_clause", "value"): Wrap("extends ", "", True),
    ("class_static_block", "body"): Wrap("static", ""),
    ("if_statement", "consequence"): Wrap("if(_)", ""),
    ("if_statement", "condition"): Wrap("if", ";"),
    ("if_statement", "alternative"): _PLAIN,
    ("else_clause", ""): _PLAIN,
    ("for_statement", "body"): _PLAIN,
    ("for_statement", "initializer"): Wrap("for(", ";;);", True),
    ("for_statement", "condition"): Wrap("for(;", ";);", True),
    ("for_statement", "increment"): Wrap("for(;;", ");", True),
    ("for_in_statement", "body"): _PLAIN,
    ("for_in_statement", "right"): Wrap("for(_ of ", ");", True),
    ("while_statement", "body"): _PLAIN,
    ("while_statement", "condition"): Wrap("while", ";"),
    ("with_statement", "body"): _PLAIN,
    ("do_statement", "body"): Wrap("do", "while(_)"),
    ("do_statement", "condition"): Wrap("do{}while", ""),
    ("labeled_statement", "body"): _PLAIN,
    ("switch_statement", "body"): Wrap("switch(_)", ""),
    ("switch_statement", "value"): Wrap("switch", "{}"),
    ("switch_case", "value"): Wrap("case ", ":", True),
    ("try_statement", "body"): Wrap("try", "finally{}"),
    ("try_statement", "handler"): Wrap("try{}", ""),
    ("try_statement", "finalizer"): Wrap("try{}", ""),
    ("catch_clause", "body"): Wrap("catch", ""),
    ("finally_clause", "body"): Wrap("finally", ""),
    ("ternary_expression", "condition"): _PLAIN,
    ("ternary_expression", "consequence"): Wrap("_?", ":_", True),
    ("ternary_expression", "alternative"): _PLAIN,
    ("binary_expression", "left"): _PLAIN,
    ("binary_expression", "right"): _PLAIN,
    ("template_substitution", ""): Wrap("${", "}", True),
    ("jsx_expression", ""): Wrap("{", "}", True),
    ("jsx_attribute", ""): Wrap("_=", "", True),
    ("as_expression", "0"): _PLAIN,
    ("as_expression", "1"): Wrap("_ as ", ""),
    ("satisfies_expression", "0"): _PLAIN,
    ("satisfies_expression", "1"): Wrap("_ satisfies ", ""),
    ("decorator", ""): Wrap("@", "", True),
    ("class_declaration", "decorator"): Wrap("", " class _{}"),
    ("abstract_class_declaration", "decorator"): Wrap("", " class _{}"),
    ("export_statement", "decorator"): Wrap("", " class _{}"),
    ("method_definition", "decorator"): Wrap("", " _"),
    ("field_definition", "decorator"): Wrap("", " _"),
    ("public_field_definition", "decorator"): Wrap("", " _"),
    ("interface_declaration", "body"): Wrap("interface _", ""),
    ("enum_declaration", "body"): Wrap("enum _", ""),
    ("enum_assignment", "value"): Wrap("_=", "", True),
    ("type_alias_declaration", "value"): Wrap("type _=", ""),
    ("type_alias_declaration", "type_parameters"): Wrap("type _", "=_"),
    ("internal_module", "body"): _PLAIN,
    ("module", "body"): _PLAIN,
    ("type_annotation", ""): Wrap(":", ""),
    ("property_signature", "type"): Wrap("_", ""),
    ("index_signature", "type"): Wrap("[_:_]", ""),
    ("required_parameter", "pattern"): _PLAIN,
    ("required_parameter", "type"): Wrap("_", ""),
    ("required_parameter", "value"): Wrap("_=", "", True),
    ("optional_parameter", "type"): Wrap("_?", ""),
    ("union_type", ""): _PLAIN,
    ("intersection_type", ""): _PLAIN,
    ("function_type", "return_type"): Wrap("()=>", ""),
    ("function_type", "parameters"): Wrap("", "=>_"),
    ("parenthesized_type", ""): Wrap("(", ")"),
    ("array_type", ""): _PLAIN,
    ("readonly_type", ""): _PLAIN,
    ("generic_type", "type_arguments"): Wrap("_", ""),
    ("conditional_type", "left"): Wrap("", " extends _?_:_"),
    ("conditional_type", "right"): Wrap("_ extends ", "?_:_"),
    ("conditional_type", "consequence"): Wrap("_ extends _?", ":_"),
    ("conditional_type", "alternative"): _PLAIN,
    ("literal_type", ""): _PLAIN,
}
"""(node type, field of a child, or where it has none its type or place): what is open inside the child."""

FORKS: Mapping[str, Wrap] = {
    "if_statement": Wrap("if(_){}", ""),
    "ternary_expression": Wrap("_?_", ":_"),
    "assignment_expression": Wrap("_=", "_", True),
    "conditional_type": Wrap("_ extends _?_", ":_"),
}
"""Constructs whose last part may be another of the kind: what is open ahead of that part."""

BEFORE: Mapping[tuple[str, str], Wrap] = {
    ("if_statement", "consequence"): Wrap("if(_)", ";"),
    ("try_statement", "handler"): Wrap("try{}", "finally{}"),
    ("try_statement", "finalizer"): Wrap("try{}", "finally{}"),
    ("ternary_expression", "?"): Wrap("_", ""),
    ("conditional_type", "?"): Wrap("_ extends _", "?_:_"),
    ("arrow_function", "body"): Wrap("()=>", "{}", True),
    ("function_expression", "body"): Wrap("function()", "{}"),
    ("generator_function", "body"): Wrap("function()", "{}"),
    ("function_declaration", "body"): Wrap("function _()", "{}"),
    ("generator_function_declaration", "body"): Wrap("function _()", "{}"),
    ("function_signature", "return_type"): Wrap("function _()", ""),
    ("function_signature", "parameters"): Wrap("function _", "()"),
    ("function_declaration", "parameters"): Wrap("function _", "(){}"),
    ("method_definition", "body"): Wrap("_()", "{}"),
    ("method_definition", "parameters"): Wrap("_", "(){}"),
    ("class_declaration", "class"): Wrap("", " class _{}"),
    ("abstract_class_declaration", "abstract"): Wrap("", " class _{}"),
    ("export_statement", "export"): Wrap("", " class _{}"),
    ("class_declaration", "body"): Wrap("class _", "{}"),
    ("abstract_class_declaration", "body"): Wrap("class _", "{}"),
    ("interface_declaration", "body"): Wrap("interface _", "{}"),
    ("class", "body"): Wrap("class", "{}"),
    ("for_statement", "body"): Wrap("for(;;)", ";"),
    ("for_in_statement", "body"): Wrap("for(_ of _)", ";"),
    ("while_statement", "body"): Wrap("while(_)", ";"),
    ("switch_statement", "body"): Wrap("switch(_)", "{}"),
    ("variable_declarator", "="): Wrap("_", ""),
    ("assignment_expression", "="): Wrap("_", ""),
    ("public_field_definition", "="): Wrap("_", ""),
    ("pair", ":"): Wrap("_", ":_"),
    ("function_type", "=>"): Wrap("()", "=>_"),
    ("new_expression", "arguments"): Wrap("new _", ""),
    ("as_expression", "as"): Wrap("_ ", ""),
    ("satisfies_expression", "satisfies"): Wrap("_ ", ""),
    ("type_alias_declaration", "="): Wrap("type _", "=_"),
    ("function_type", "parameters"): Wrap("", "()=>_"),
}
"""(node type, field or type of a child): what is open at a cut ahead of that child."""
