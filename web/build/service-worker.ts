import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, type Plugin, type Rolldown } from 'vite';
import type { Shell } from '../worker/agreement.ts';
import { entryOf, filesOf } from './chunk-files.ts';

const root = join(import.meta.dirname, '..');
const source = join(root, 'worker/sw.ts');

/** What opens without a network: what is there to be read, both doors with all that stands on them, and the frame with its notices. */
const shellModules = [
  '/src/member/public/FaqsPage.tsx',
  '/src/member/public/PrivacyPage.tsx',
  '/src/member/public/TermsPage.tsx',
  '/src/member/sign-in/SignInPage.tsx',
  '/src/admin/sign-in/LoginPage.tsx',
  '/src/features/auth/sign-in/DoorSteps.tsx',
  '/src/features/auth/sign-in/IdentityButtons.tsx',
  '/src/ui/layout/RingsArt.tsx',
  '/src/member/layout/MemberTabs.tsx',
  '/src/features/notifications/Bell.tsx',
  '/src/ui/feedback/Unfetched.tsx',
  '/src/after-load.tsx',
];
/** Files beside the bundle that the page or a notification shows. */
const pictures = ['favicon.svg', 'icons/icon-192.png', 'icons/badge-96.png'];

function shellOf(page: string, bundle: Rolldown.OutputBundle): Shell {
  const named = [...page.matchAll(/(?:src|href)="\/(assets\/[^"]+)"/g)].map(([, file]) => String(file));
  const files = [...new Set([...named, ...filesOf(shellModules, bundle), ...pictures])].map((file) => `/${file}`);
  const version = createHash('sha256').update(page).update(files.join());
  for (const picture of pictures) version.update(readFileSync(join(root, 'public', picture)));
  return { version: version.digest('hex').slice(0, 12), entry: `/${entryOf(bundle).fileName}`, files };
}

async function scriptWith(shell: Shell): Promise<string> {
  const built = (await build({
    configFile: false,
    root,
    logLevel: 'warn',
    publicDir: false,
    define: { builtShell: JSON.stringify(shell) },
    build: {
      write: false,
      target: ['chrome125', 'edge125', 'firefox128', 'safari18'],
      rolldownOptions: { input: source, output: { format: 'iife' } },
    },
  })) as Rolldown.RolldownOutput;
  return built.output[0].code;
}

/** Builds the service worker (`worker/sw.ts` with the names of this build's files) to `/sw.js`, in one file. */
export function serviceWorker(): Plugin {
  return {
    name: 'heartwood-service-worker',
    apply: 'build',
    enforce: 'post',
    generateBundle: {
      order: 'post',
      async handler(_options, bundle) {
        const page = bundle['index.html'];
        if (page?.type !== 'asset') throw new Error('The build has no page for the service worker to keep');
        const source = await scriptWith(shellOf(String(page.source), bundle));
        this.emitFile({ type: 'asset', fileName: 'sw.js', source });
      },
    },
  };
}
