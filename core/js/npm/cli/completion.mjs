// Scripts that let a shell complete commands, options and their values.
import { EXIT } from './errors.mjs';
import { optionsOf } from './options.mjs';

const SHELLS = ['bash', 'zsh', 'fish'];

export const usage = 'bash|zsh|fish';
export const hasJson = false;
export const takes = { least: 1, most: 1, missing: '`completion` needs the name of a shell: bash, zsh or fish.', first: SHELLS };
export const examples = [
  ['source <(hindscope completion bash)', 'put this into ~/.bashrc'],
  ['source <(hindscope completion zsh)', 'put this into ~/.zshrc, after compinit'],
  ['hindscope completion fish > ~/.config/fish/completions/hindscope.fish', 'run this once'],
];

export async function run({ positionals: [shell], out, allCommands }) {
  out.text({ bash, zsh, fish }[shell](await allCommands()));
  return EXIT.ok;
}

/** The options of a command, each with its name. */
function wordsOf(one) {
  return Object.entries(optionsOf(one)).map(([name, option]) => ({ name, ...option }));
}

/** A text in single quotes, for a shell. */
function quoted(text, escape = "'\\''") {
  return `'${text.replaceAll("'", escape)}'`;
}

function bash(commands) {
  const flags = commands.map((one) => `    ${one.name}) echo ${quoted([...wordsOf(one).map(({ name }) => `--${name}`), ...(one.takes?.first ?? [])].join(' '))} ;;`);
  const values = commands.flatMap((one) =>
    wordsOf(one)
      .filter(({ type }) => type === 'string')
      .map(({ name, short, choices }) => `    ${one.name}:--${name}${short ? `|${one.name}:-${short}` : ''}) echo ${quoted(choices?.join(' ') ?? '')} ;;`),
  );
  return `# bash completion of hindscope
_hindscope_words() {
  case "$1" in
${flags.join('\n')}
  esac
}
_hindscope_values() {
  case "$1" in
${values.join('\n')}
    *) return 1 ;;
  esac
}
_hindscope_files() {
  local IFS=$'\\n'
  COMPREPLY=($(compgen -f -- "$1"))
}
_hindscope() {
  local word="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" command="\${COMP_WORDS[1]}" words
  COMPREPLY=()
  # For bash, --name=value is three words.
  if [ "$word" = "=" ]; then word=""
  elif [ "$before" = "=" ]; then before="\${COMP_WORDS[COMP_CWORD-2]}"; fi
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W ${quoted(`${commands.map(({ name }) => name).join(' ')} help --help --version`)} -- "$word"))
    return
  fi
  if [ "$command" = help ]; then
    COMPREPLY=($(compgen -W ${quoted(commands.map(({ name }) => name).join(' '))} -- "$word"))
    return
  fi
  if words=$(_hindscope_values "$command:$before"); then
    if [ -n "$words" ]; then COMPREPLY=($(compgen -W "$words" -- "$word")); else _hindscope_files "$word"; fi
    return
  fi
  case "$word" in
    -*) COMPREPLY=($(compgen -W "$(_hindscope_words "$command")" -- "$word")) ;;
    *)
      if [ "$command" = completion ]; then COMPREPLY=($(compgen -W ${quoted(SHELLS.join(' '))} -- "$word"))
      else _hindscope_files "$word"; fi
      ;;
  esac
}
complete -o filenames -F _hindscope hindscope
`;
}

function zsh(commands) {
  const plain = (text) => text.replaceAll(/[[\]:]/g, (sign) => `\\${sign}`);
  const specs = (one) =>
    wordsOf(one).map(({ name, short, says, type, choices, multiple }) => {
      const value = type === 'boolean' ? '' : `:${name}:${choices ? `(${choices.join(' ')})` : '_files'}`;
      const names = short ? `{-${short},--${name}}` : `--${name}`;
      const once = multiple ? '*' : short ? `(-${short} --${name})` : '';
      // The shell expands braces only outside of quotes.
      return short ? `${quoted(once)}${names}${quoted(`[${plain(says)}]${value}`)}` : quoted(`${once}${names}[${plain(says)}]${value}`);
    });
  const cases = commands.map((one) => {
    const rest = one.takes?.first ? quoted(`1:value:(${one.takes.first.join(' ')})`) : quoted('*:path:_files');
    return `    ${one.name}) _arguments ${[...specs(one), rest].join(' ')} ;;`;
  });
  const list = commands.map(({ name, summary }) => quoted(`${name}:${plain(summary)}`));
  return `#compdef hindscope
# zsh completion of hindscope
_hindscope() {
  local -a commands
  commands=(${list.join(' ')})
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  local command="\${words[2]}"
  shift words
  (( CURRENT-- ))
  case "$command" in
    help) _describe command commands ;;
${cases.join('\n')}
  esac
}
compdef _hindscope hindscope
`;
}

function fish(commands) {
  const text = (says) => quoted(says.replaceAll('\\', '\\\\'), "\\'");
  const lines = ['# fish completion of hindscope'];
  for (const { name, summary } of commands) {
    lines.push(`complete -c hindscope -n __fish_use_subcommand -f -a ${name} -d ${text(summary)}`);
  }
  lines.push(`complete -c hindscope -n '__fish_seen_subcommand_from help' -f -a ${text(commands.map(({ name }) => name).join(' '))}`);
  for (const one of commands) {
    const when = `-n '__fish_seen_subcommand_from ${one.name}'`;
    for (const { name, short, says, type, choices } of wordsOf(one)) {
      const value = type === 'boolean' ? '' : choices ? ` -x -a ${text(choices.join(' '))}` : ' -r';
      lines.push(`complete -c hindscope ${when} -l ${name}${short ? ` -s ${short}` : ''}${value} -d ${text(says)}`);
    }
    if (one.takes?.first) lines.push(`complete -c hindscope ${when} -f -a ${text(one.takes.first.join(' '))}`);
  }
  return `${lines.join('\n')}\n`;
}
