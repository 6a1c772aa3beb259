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

const member = (page: string) => [`/member/${page}.tsx`];
const admin = (page: string) => ['/admin/AdminLayout.tsx', `/admin/${page}.tsx`];

function firstPagesOf(bundle: Rolldown.OutputBundle): FirstPages {
  const all: string[] = [];
  const placeOf = (file: string) => (all.includes(file) ? all.indexOf(file) : all.push(file) - 1);
  const files = (modules: string[]) => filesOf(modules, bundle).map(placeOf);
  return {
    files: all,
    everybody: {
      '/privacy': files(member('public/PrivacyPage')),
      '/faqs': files(member('public/FaqsPage')),
      '/app/terms': files(member('public/TermsPage')),
      '/app/verify-email': files(member('sign-in/VerifyEmailPage')),
      '/app/forgot-password': files(member('sign-in/ForgotPasswordPage')),
      '/app/reset-password': files(member('sign-in/ResetPasswordPage')),
      '/app/unsubscribe': files(member('public/UnsubscribePage')),
    },
    visitors: {
      '/login': files(['/admin/sign-in/LoginPage.tsx']),
      '/app/sign-in': files(member('sign-in/SignInPage')),
      '/app/join': files(member('sign-in/JoinPage')),
    },
    members: {
      '/home': files(member('public/HomePage')),
      '/app/discover': files(member('discover/DiscoverPage')),
      '/app/likes': files(member('people/LikesPage')),
      '/app/matches': files(member('people/MatchesPage')),
      '/app/messages': files(member('messages/MessagesPage')),
      '/app/messages/:id': files(member('messages/MessagesPage')),
      '/app/support': files(member('support/SupportPage')),
      '/app/support/new': files(member('support/NewReportPage')),
      '/app/support/:id': files(member('support/SupportReportPage')),
      '/app/members/:id': files(member('people/MemberPage')),
      '/app/welcome': files(member('profile/WelcomePage')),
      '/app/profile': files(member('profile/ProfilePage')),
      '/app/settings': files(member('settings/SettingsPage')),
      '/app/premium': files(member('premium/PremiumPage')),
      '/app/premium/invoices/:id': files(member('premium/InvoicePage')),
    },
    administrators: {
      '/dashboard': files(admin('dashboard/DashboardPage')),
      '/users': files(admin('users/UsersPage')),
      '/users/:id': files(admin('users/UserPage')),
      '/reports': files(admin('reports/ReportsPage')),
      '/reports/:id': files(admin('reports/ReportPage')),
      '/audit': files(admin('audit/AuditPage')),
      '/settings': files(admin('settings/SettingsPage')),
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
