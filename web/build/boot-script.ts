import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Plugin, type Rolldown, transformWithOxc } from 'vite';
import { filesOf } from './chunk-files.ts';
import type { FirstPages } from './first-pages.ts';

const source = join(import.meta.dirname, '../src/boot.ts');
const name = '/boot.js';
const nothing: FirstPages = { files: [], everybody: {}, visitors: {}, members: {}, administrators: {} };

async function scriptWith(firstPages: FirstPages): Promise<string> {
  const { code } = await transformWithOxc(readFileSync(source, 'utf8'), source);
  const script = code.replace(/export\s*\{\s*\};?/, '');
  return `{const firstPages=${JSON.stringify(firstPages)};\n${script}}\n`;
}

const member = (page: string) => [`/member/pages/${page}.tsx`];
const admin = (page: string) => ['/admin/AdminLayout.tsx', `/admin/pages/${page}.tsx`];

function firstPagesOf(bundle: Rolldown.OutputBundle): FirstPages {
  const all: string[] = [];
  const placeOf = (file: string) => (all.includes(file) ? all.indexOf(file) : all.push(file) - 1);
  const files = (modules: string[]) => filesOf(modules, bundle).map(placeOf);
  return {
    files: all,
    everybody: {
      '/privacy': files(member('PrivacyPage')),
      '/faqs': files(member('FaqsPage')),
      '/app/terms': files(member('TermsPage')),
      '/app/verify-email': files(member('VerifyEmailPage')),
      '/app/forgot-password': files(member('ForgotPasswordPage')),
      '/app/reset-password': files(member('ResetPasswordPage')),
      '/app/unsubscribe': files(member('UnsubscribePage')),
    },
    visitors: {
      '/login': files(['/admin/LoginPage.tsx']),
      '/app/sign-in': files(member('SignInPage')),
      '/app/join': files(member('JoinPage')),
    },
    members: {
      '/home': files(member('HomePage')),
      '/app/discover': files(member('DiscoverPage')),
      '/app/likes': files(member('LikesPage')),
      '/app/matches': files(member('MatchesPage')),
      '/app/messages': files(member('MessagesPage')),
      '/app/messages/:id': files(member('MessagesPage')),
      '/app/support': files(member('SupportPage')),
      '/app/support/new': files(member('NewReportPage')),
      '/app/support/:id': files(member('SupportReportPage')),
      '/app/members/:id': files(member('MemberPage')),
      '/app/welcome': files(member('WelcomePage')),
      '/app/profile': files(member('ProfilePage')),
      '/app/settings': files(member('SettingsPage')),
      '/app/premium': files(member('PremiumPage')),
      '/app/premium/invoices/:id': files(member('InvoicePage')),
    },
    administrators: {
      '/dashboard': files(admin('DashboardPage')),
      '/users': files(admin('UsersPage')),
      '/users/:id': files(admin('UserPage')),
      '/reports': files(admin('ReportsPage')),
      '/reports/:id': files(admin('ReportPage')),
      '/audit': files(admin('AuditPage')),
      '/settings': files(admin('SettingsPage')),
    },
  };
}

/** Puts the boot script (`src/boot.ts` with the names of this build's files) where the page asks for `/boot.js`. */
export function bootScript(): Plugin {
  return {
    name: 'heartwood-boot-script',
    enforce: 'post',
    configureServer(server) {
      server.middlewares.use(name, (_request, response, next) => {
        scriptWith(nothing).then((script) => {
          response.setHeader('content-type', 'text/javascript');
          response.end(script);
        }, next);
      });
    },
    generateBundle: {
      order: 'post',
      async handler(_options, bundle) {
        const page = bundle['index.html'];
        if (page?.type !== 'asset') throw new Error('The build has no page to put the boot script into');
        const script = await scriptWith(firstPagesOf(bundle));
        const hash = createHash('sha256').update(script).digest('hex').slice(0, 8);
        const fileName = `assets/boot-${hash}.js`;
        this.emitFile({ type: 'asset', fileName, source: script });
        page.source = String(page.source).replace(name, `/${fileName}`);
      },
    },
  };
}
