import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot, runPackage } from '../launcher/command.ts';

// `npm run i18n:extract` writes the catalogues of staff, then those of members, from the texts in the code, and prints which have gaps.
for (const config of ['lingui.staff.config.ts', 'lingui.members.config.ts']) {
  const lingui = ['extract', '--clean', '--config', config];
  const { code, output } = await runPackage('@lingui/cli/dist/lingui.js', lingui, { quiet: true });
  if (code === 0) continue;
  process.stderr.write(output);
  process.exit(code);
}
for (const path of globSync('locales/*/*.po', { cwd: projectRoot }).sort()) {
  // The text of a `msgstr` may begin on the next line.
  const empty = readFileSync(join(projectRoot, path), 'utf8').match(/^msgstr ""\n(?!")/gm) ?? [];
  if (empty.length > 0) process.stdout.write(`${path}: ${empty.length} without a translation\n`);
}
