// Types and lint of `server` or `web`, the first argument. ESLint gets the programs whose types have been checked, which
// would otherwise be read and checked twice.
import { ESLint } from 'eslint';
import ts from 'typescript';
import { projectRoot } from '../launcher/command.ts';

interface Part {
  config: string;
  /** The folder with its files, except those that another part has. */
  folder: string;
  without: string[];
}

const parts: Record<string, Part[]> = {
  server: [{ config: 'tsconfig.json', folder: '.', without: ['web'] }],
  web: [
    { config: 'web/tsconfig.json', folder: 'web', without: ['web/worker'] },
    { config: 'web/worker/tsconfig.json', folder: 'web/worker', without: [] },
  ],
};

const formatting: ts.FormatDiagnosticsHost = {
  getCurrentDirectory: () => projectRoot,
  getCanonicalFileName: (name) => name,
  getNewLine: () => '\n',
};

/** The program that `tsc -p` checks, with the links to parents that ESLint follows. */
function programOf(config: string): ts.Program {
  const parsed = ts.getParsedCommandLineOfConfigFile(config, undefined, {
    ...ts.sys,
    onUnRecoverableConfigFileDiagnostic: (diagnostic) => {
      throw new Error(ts.formatDiagnostic(diagnostic, formatting));
    },
  });
  if (parsed === undefined) throw new Error(`${config} can't be read`);
  return ts.createProgram({
    rootNames: parsed.fileNames,
    options: parsed.options,
    host: ts.createCompilerHost(parsed.options, true),
    configFileParsingDiagnostics: parsed.errors,
  });
}

/** Prints what is wrong with a part; returns whether nothing is. */
async function check({ config, folder, without }: Part): Promise<boolean> {
  const program = programOf(config);
  const diagnostics = ts.getPreEmitDiagnostics(program);
  process.stdout.write(ts.formatDiagnostics(diagnostics, formatting));
  const eslint = new ESLint({
    cwd: projectRoot,
    ignorePatterns: without,
    overrideConfig: {
      files: ['**/*.{ts,tsx}'],
      languageOptions: { parserOptions: { projectService: false, programs: [program] } },
    },
    // Warnings are for editors.
    ruleFilter: ({ severity }) => severity === 2,
  });
  const results = ESLint.getErrorResults(await eslint.lintFiles([folder]));
  process.stdout.write(await (await eslint.loadFormatter('stylish')).format(results));
  return diagnostics.length === 0 && results.length === 0;
}

process.chdir(projectRoot);
const asked = parts[process.argv[2] ?? ''];
let ok = asked !== undefined;
for (const part of asked ?? []) ok = (await check(part)) && ok;
process.exitCode = ok ? 0 : 1;
