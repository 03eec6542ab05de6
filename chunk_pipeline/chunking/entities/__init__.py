"""Entities that texts mention: the gazetteer, its recogniser and nominal coreference."""
