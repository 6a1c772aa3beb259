import { runPackage } from '../launcher/command.ts';

// `npm run i18n:extract` writes the catalogues of staff, then those of members, from the texts in the code.
const lingui = '@lingui/cli/dist/lingui.js';
for (const of of [
  ['--locale', 'en,de'],
  ['--config', 'lingui.members.config.ts'],
]) {
  const { code } = await runPackage(lingui, ['extract', '--clean', ...of]);
  if (code !== 0) process.exit(code);
}
