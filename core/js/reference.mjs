// Writes the reference of the npm package from its types: `node reference.mjs PACKAGE FOLDER`, called by xtask.
//
// Its modules are the entries of the package, by the names that people import. It fails, and writes nothing, if a
// link in a comment leads nowhere, if a type is used and not exported, or if a type or a member has no comment.
import { readFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { Application, ReflectionKind } from 'typedoc';
import ts from 'typescript';

const [from, to] = process.argv.slice(2).map((path) => resolve(path));
const { name, exports } = JSON.parse(await readFile(join(from, 'package.json'), 'utf8'));

/** The files of types with the imports that they describe. */
const entries = Object.entries(exports)
  .filter(([, { types }]) => types)
  .map(([path, { types }]) => [join(from, types.default ?? types), name + path.slice(1)]);
const files = entries.map(([file]) => file);

const app = await Application.bootstrap({
  name,
  entryPoints: files,
  readme: join(from, 'README.md'),
  // What is built is in no repository.
  disableGit: true,
  disableSources: true,
  hideGenerator: true,
  // Tests compile them.
  skipErrorChecking: true,
  navigation: { includeFolders: false },
  // What people call comes before the types of what they pass and get.
  sort: ['kind', 'source-order'],
  kindSortOrder: ['Class', 'Function', 'Variable', 'Interface', 'TypeAlias', 'Reference'],
  groupOrder: ['Classes', 'Functions', 'Variables', 'Interfaces', 'Type Aliases', 'References'],
  validation: { invalidLink: true, invalidPath: true, notExported: true, notDocumented: true },
  // Functions have examples, which a test demands.
  requiredToBeDocumented: ['Class', 'GetSignature', 'Interface', 'TypeAlias', 'Variable'],
});
const { ESNext } = ts.ScriptTarget;
const { NodeNext } = ts.ModuleKind;
app.options.setCompilerOptions(files, { strict: true, target: ESNext, module: NodeNext, types: [] }, []);

const project = await app.convert();
if (project) {
  // typedoc names a module by the path of its file.
  const names = new Map(entries.map(([file, entry]) => [relative(from, file).replace(/(\/index)?\.d\.ts$/, ''), entry]));
  for (const module of project.children) module.name = names.get(module.name);
  const order = [...names.values()];
  project.childrenIncludingDocuments.sort((a, b) => order.indexOf(a.name) - order.indexOf(b.name));
  app.validate(project);
  for (const member of project.getReflectionsByKind(ReflectionKind.Property)) {
    // What is inherited says it where it is declared.
    const isOwn = member.parent.kindOf(ReflectionKind.ClassOrInterface) && !member.inheritedFrom;
    if (isOwn && !said(member)) app.logger.error(`${member.getFullName()} has no comment`);
  }
}
/** What a member says of itself; a function says it at its signature. */
function said({ comment, type }) {
  return comment?.hasVisibleComponent() || type?.declaration?.signatures?.some((signature) => signature.comment);
}

const isRight = project && !app.logger.hasErrors() && !app.logger.hasWarnings();
if (isRight) await app.generateDocs(project, to);
process.exitCode = isRight ? 0 : 1;
