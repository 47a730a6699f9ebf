// Prolog in a worker: text in, text out, and of the goal only what SWI-Prolog's own sandbox allows.
import { installed } from '#guest';
import { serve } from './serve.mjs';

/**
 * Terms of JSON: objects are dicts, lists lists, texts strings, and true, false and null atoms. The
 * last clause of the code is the goal, clauses before it are its helpers.
 */
const INSIDE = String.raw`
:- module(hindscope, [hindscope_run/5]).
:- use_module(library(sandbox)).
:- use_module(library(lists)).
:- use_module(library(apply)).
:- use_module(library(error)).
:- use_module(library(aggregate)).
:- use_module(library(dicts)).
:- use_module(library(pairs)).
:- use_module(library(strings)).
:- use_module(library(readutil)).
:- use_module(library(ordsets)).
:- use_module(library(assoc)).
:- use_module(library(option)).
:- use_module(library(occurs)).

% Each piece of code has a module of its own: Module is its name.
hindscope_run(Module, Code, State, Output, Answer) :-
    catch(answer(Module, Code, State, Output, Answer), Cause, failed(Cause, Answer)),
    forall(own(Module, Predicate), catch(abolish(Predicate), _, true)).

own(Module, Module:Name/Arity) :-
    current_predicate(Module:Name/Arity),
    functor(Head, Name, Arity),
    \+ predicate_property(Module:Head, imported_from(_)).

failed(Cause, Answer) :-
    catch(( message_to_string(Cause, Text), string_concat("E", Text, Answer) ), _, Answer = "Ean exception without a message").

message_to_string(Cause, Text) :-
    message_to_codes(Cause, Text), !.
message_to_string(Cause, Text) :-
    format(string(Text), "~p", [Cause]).

message_to_codes(Cause, Text) :-
    '$messages':translate_message(Cause, Lines, []),
    with_output_to(string(Text), print_message_lines(current_output, '', Lines)).

answer(Module, Code, State, Output, Answer) :-
    % The last full stop may be left out.
    catch(clauses_of(Module, Code, Clauses), error(syntax_error(end_of_file), _), ( string_concat(Code, "\n.", Ended), clauses_of(Module, Ended, Clauses) )),
    ( append(Helpers, [Goal-Names], Clauses) -> true ; throw(no_goal) ),
    % The sandbox lets code change flags of the engine, which the next code would meet.
    ( sub_term(Part, Clauses), is_flag(Part) -> throw(no_flags) ; true ),
    maplist(helper(Module), Helpers),
    bind('State', State, Names),
    bind('Output', Output, Names),
    ( memberchk('Result'=Result, Names) -> true ; true ),
    expand_goal(Module:Goal, Expanded),
    safe_goal(Expanded),
    ( once(Expanded) ->
        ( var(Result) -> json(true, 0, Text) ; json(Result, 0, Text) )
    ;   json(false, 0, Text)
    ),
    string_concat("V", Text, Answer).

clauses_of(Module, Code, Clauses) :-
    setup_call_cleanup(open_string(Code, Stream), clauses(Module, Stream, Clauses), close(Stream)).

clauses(Module, Stream, Clauses) :-
    read_term(Stream, Term, [variable_names(Names), module(Module), syntax_errors(error)]),
    ( Term == end_of_file -> Clauses = [] ; Clauses = [Term-Names|Rest], clauses(Module, Stream, Rest) ).

is_flag(Part) :- Part == set_prolog_flag.
is_flag(Part) :- compound(Part), compound_name_arity(Part, set_prolog_flag, _).

% Directives would run before they are checked.
helper(_, (:- _)-_) :- !, throw(no_directives).
helper(_, (?- _)-_) :- !, throw(no_directives).
helper(Module, Clause-_) :-
    expand_term(Clause, Expanded),
    ( is_list(Expanded) -> maplist(keep(Module), Expanded) ; keep(Module, Expanded) ).

keep(Module, Clause) :-
    head(Clause, Head),
    must_be(callable, Head),
    ( Head = _:_ -> throw(no_modules) ; true ),
    % These would run while the goal is prepared, before it is checked.
    functor(Head, Name, Arity),
    ( memberchk(Name, [term_expansion, goal_expansion, exception, portray, prolog_load_file]) -> throw(redefined(Name/Arity)) ; true ),
    ( predicate_property(Module:Head, imported_from(_)), \+ predicate_property(Module:Head, dynamic) -> throw(redefined(Name/Arity)) ; true ),
    assertz(Module:Clause).

% What a clause of any kind defines.
head(Head, Head) :- var(Head), !.
head((Head :- _), Inner) :- !, head(Head, Inner).
head((Head => _), Inner) :- !, head(Head, Inner).
head('?=>'(Head, _), Inner) :- !, head(Head, Inner).
head((Head , _), Inner) :- !, head(Head, Inner).
head(Head, Head).

bind(_, none, _) :- !.
bind(Name, Text, Names) :-
    ( memberchk(Name=Value, Names) -> term_string(Value, Text) ; true ).

json(Value, _, _) :- var(Value), !, throw(unbound_answer).
json(_, Depth, _) :- Depth > 128, !, throw(answer_too_deep).
json(Value, _, Text) :- string(Value), !, quoted(Value, Text).
json(Value, _, Text) :- integer(Value), !,
    % Beyond what a number of JavaScript holds it travels as text.
    ( abs(Value) =< 9007199254740991 -> number_string(Value, Text) ; format(string(Text), "\"~d\"", [Value]) ).
json(Value, Depth, Text) :- rational(Value), !, Float is float(Value), json(Float, Depth, Text).
json(Value, _, Text) :- float(Value), !,
    ( float_class(Value, Class), memberchk(Class, [nan, infinite]) -> Text = "null" ; format(string(Text), "~15|~w", [Value]) ).
json(Value, Depth, Text) :- is_dict(Value), !,
    Next is Depth + 1,
    dict_pairs(Value, _, Pairs),
    findall(Part, ( member(Key-Inner, Pairs), quoted(Key, Quoted), json(Inner, Next, Written), string_concat(Quoted, ":", Start), string_concat(Start, Written, Part) ), Parts),
    atomics_to_text(Parts, "{", "}", Text).
json([], _, "[]") :- !.
json(Value, Depth, Text) :- is_list(Value), !,
    Next is Depth + 1,
    findall(Part, ( member(Inner, Value), json(Inner, Next, Part) ), Parts),
    atomics_to_text(Parts, "[", "]", Text).
json(Value, _, Text) :- memberchk(Value, [true, false, null]), !, atom_string(Value, Text).
json(Value, _, Text) :- atom(Value), !, quoted(Value, Text).
json(Value, _, _) :- throw(no_json(Value)).

atomics_to_text(Parts, Open, Close, Text) :-
    atomics_to_string_comma(Parts, Inner),
    string_concat(Open, Inner, Start),
    string_concat(Start, Close, Text).

atomics_to_string_comma(Parts, Text) :- atomic_list_concat(Parts, ',', Atom), atom_string(Atom, Text).

quoted(Text, Quoted) :-
    string_codes(Text, Codes),
    phrase(escaped(Codes), Escaped),
    string_codes(Inner, Escaped),
    string_concat("\"", Inner, Start),
    string_concat(Start, "\"", Quoted).

escaped([]) --> [].
escaped([Code|Codes]) -->
    ( { Code < 32 ; Code =:= 34 ; Code =:= 92 } -> { format(codes(Escape), "\\u~|~\x60\0t~16r~4+", [Code]) }, list(Escape) ; [Code] ),
    escaped(Codes).

list([]) --> [].
list([Code|Codes]) --> [Code], list(Codes).

:- multifile prolog:message//1.
prolog:message(no_goal) --> ['there is no goal'].
prolog:message(no_flags) --> ['flags of the engine cannot be set'].
prolog:message(no_directives) --> ['directives are not allowed'].
prolog:message(no_modules) --> ['clauses of other modules are not allowed'].
prolog:message(redefined(What)) --> ['~w is a built-in predicate and cannot be redefined'-[What]].
prolog:message(unbound_answer) --> ['the result contains unbound variables'].
prolog:message(answer_too_deep) --> ['the result is nested too deep'].
prolog:message(no_json(Term)) --> ['~p cannot be converted to JSON'-[Term]].
`;

serve(async ({ engine, files, memoryMb }) => {
  const bundle = engine ?? installed('swipl-wasm/dist/swipl/swipl-bundle.js')?.url;
  if (!bundle) throw new Error('pass the address of swipl-bundle.js as `engine`');
  const swipl = (await import(/* @vite-ignore */ bundle)).default ?? (await scripted(bundle));
  const { FS, prolog } = await swipl({
    arguments: ['-q'],
    ...(files ? { locateFile: (name) => new URL(name, files).href } : {}),
    print() {},
    printErr() {},
    on_output() {},
  });
  FS.writeFile('/hindscope.pl', INSIDE);
  const loaded = prolog.query("consult('/hindscope.pl')").once();
  if (loaded.error || loaded.success === false) throw new Error(`hindscope's Prolog code does not load: ${loaded.message ?? ''}`);
  prolog.query('set_prolog_flag(stack_limit, Bytes)', { Bytes: memoryMb * 2 ** 20 }).once();
  let count = 0;
  const run = ({ code, state, output }) => {
    count += 1;
    const given = { Module: `code${count}`, Code: code, State: term(JSON.parse(state)), Output: output === undefined ? 'none' : term(JSON.parse(output)) };
    const found = prolog.query('atom_string(M, Module), atom_string(O, Output), (O == none -> P = none ; P = Output), hindscope:hindscope_run(M, Code, State, P, Answer)', given).once();
    const text = String(found.Answer ?? `E${found.message ?? 'no result'}`);
    return text.startsWith('EStack limit') ? 'M' : text;
  };
  return { run };
});

/** The bundle is a script that exports nothing where there is no CommonJS: one line makes it a module. */
async function scripted(address) {
  const text = await (await fetch(address)).text();
  const module = URL.createObjectURL(new Blob([text, '\nexport default SWIPL;'], { type: 'text/javascript' }));
  try {
    return (await import(/* @vite-ignore */ module)).default;
  } finally {
    URL.revokeObjectURL(module);
  }
}

/** JSON as the text of a term. */
function term(value) {
  if (typeof value === 'string') return `"${escaped(value)}"`;
  if (Array.isArray(value)) return `[${value.map(term).join(',')}]`;
  if (value !== null && typeof value === 'object') {
    const pairs = Object.entries(value).map(([key, inner]) => `'${escaped(key)}': ${term(inner)}`);
    return `_{${pairs.join(',')}}`;
  }
  return typeof value === 'number' ? number(value) : String(value);
}

/** Beyond 2⁵³ a number of JavaScript is no integer, and Prolog wants a point in what is none. */
function number(value) {
  const text = String(value);
  if (Number.isSafeInteger(value) || text.includes('.')) return text;
  return text.includes('e') ? text.replace('e', '.0e') : `${text}.0`;
}

function escaped(text) {
  return text.replaceAll(/[\\'"\x00-\x1f\x7f]/g, (c) => `\\x${c.charCodeAt(0).toString(16)}\\`);
}
