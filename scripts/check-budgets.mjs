// Holds the built web app to its budgets: per route the gzipped JS and CSS of a cold visit, and no admin code for members.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

const outDir = join(import.meta.dirname, '../dist/web');
/** @type {Record<string, { file: string, css?: string[], imports?: string[], dynamicImports?: string[], isDynamicEntry?: boolean }>} */
const manifest = JSON.parse(readFileSync(join(outDir, '.vite/manifest.json'), 'utf8'));

const member = (/** @type {string} */ page) => [`src/member/${page}.tsx`];
const admin = (/** @type {string} */ page) => ['src/admin/AdminLayout.tsx', `src/admin/${page}.tsx`];

/** Route, the chunks it asks for besides the entry, and its budget in KB (1,000 bytes) gzipped. */
const routes = [
  { route: '/login', chunks: ['src/admin/sign-in/LoginPage.tsx'], budget: 145 },
  { route: '/privacy', chunks: member('public/PrivacyPage'), budget: 145 },
  { route: '/faqs', chunks: member('public/FaqsPage'), budget: 145 },
  { route: '/home', chunks: member('public/HomePage'), budget: 145 },
  { route: '/app/discover', chunks: member('discover/DiscoverPage'), budget: 165 },
  { route: '/app/likes', chunks: member('people/LikesPage'), budget: 165 },
  { route: '/app/matches', chunks: member('people/MatchesPage'), budget: 165 },
  { route: '/app/messages', chunks: member('messages/MessagesPage'), budget: 165 },
  { route: '/app/terms', chunks: member('public/TermsPage'), budget: 165 },
  { route: '/app/sign-in', chunks: member('sign-in/SignInPage'), budget: 165 },
  { route: '/app/join', chunks: member('sign-in/JoinPage'), budget: 165 },
  { route: '/app/verify-email', chunks: member('sign-in/VerifyEmailPage'), budget: 165 },
  { route: '/app/forgot-password', chunks: member('sign-in/ForgotPasswordPage'), budget: 165 },
  { route: '/app/reset-password', chunks: member('sign-in/ResetPasswordPage'), budget: 165 },
  { route: '/app/second-step', chunks: member('sign-in/SecondStepPage'), budget: 165 },
  { route: '/app/unsubscribe', chunks: member('public/UnsubscribePage'), budget: 165 },
  { route: '/app/support', chunks: member('support/SupportPage'), budget: 165 },
  { route: '/app/support/new', chunks: member('support/NewReportPage'), budget: 165 },
  { route: '/app/support/:id', chunks: member('support/SupportReportPage'), budget: 165 },
  { route: '/app/members/:id', chunks: member('people/MemberPage'), budget: 165 },
  { route: '/app/welcome', chunks: member('profile/WelcomePage'), budget: 165 },
  { route: '/app/profile', chunks: member('profile/ProfilePage'), budget: 165 },
  { route: '/app/settings', chunks: member('settings/SettingsPage'), budget: 165 },
  { route: '/app/premium', chunks: member('premium/PremiumPage'), budget: 165 },
  { route: '/app/premium/invoices/:id', chunks: member('premium/InvoicePage'), budget: 165 },
  { route: '/dashboard', chunks: admin('dashboard/DashboardPage'), budget: 210 },
  { route: '/users', chunks: admin('users/UsersPage'), budget: 225 },
  { route: '/users/:id', chunks: admin('users/UserPage'), budget: 225 },
  { route: '/reports', chunks: admin('reports/ReportsPage'), budget: 225 },
  { route: '/reports/:id', chunks: admin('reports/ReportPage'), budget: 225 },
  { route: '/audit', chunks: admin('audit/AuditPage'), budget: 225 },
  { route: '/settings', chunks: admin('settings/SettingsPage'), budget: 225 },
];
const lazyChunkBudget = 60;

/** @type {string[]} */
const problems = [];

/** Every chunk that comes with these: the closure over static imports. */
function closure(/** @type {string[]} */ names) {
  /** @type {Set<string>} */
  const seen = new Set();
  const queue = [...names];
  for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
    if (seen.has(name)) continue;
    const chunk = manifest[name];
    if (!chunk) {
      problems.push(`The build has no chunk for ${name}.`);
      continue;
    }
    seen.add(name);
    queue.push(...(chunk.imports ?? []));
  }
  return seen;
}

function files(/** @type {Iterable<string>} */ names) {
  const chunks = [...names].map((name) => manifest[name]).filter((chunk) => chunk !== undefined);
  return new Set(chunks.flatMap((chunk) => [chunk.file, ...(chunk.css ?? [])]));
}

function gzippedKb(/** @type {Iterable<string>} */ names) {
  let bytes = 0;
  for (const name of names) bytes += gzipSync(readFileSync(join(outDir, name)), { level: 9 }).length;
  return bytes / 1000;
}

const page = readFileSync(join(outDir, 'index.html'), 'utf8');
/** The scripts the page names itself, outside the manifest: the boot script. */
const bootFiles = [...page.matchAll(/<script\s+src="\/([^"]+)"/g)].map(([, file]) => String(file));
const entry = closure(['index.html']);
for (const { route, chunks, budget } of routes) {
  const cold = closure(['index.html', ...chunks]);
  const size = gzippedKb([...bootFiles, ...files(cold)]);
  const isOver = size > budget;
  console.log(`${isOver ? 'OVER' : ' ok '} ${route.padEnd(22)} ${size.toFixed(1).padStart(6)} of ${budget} KB`);
  if (isOver) problems.push(`${route} takes ${size.toFixed(1)} KB of ${budget}.`);
  const foreign = [...cold].filter((name) => name.startsWith('src/admin/'));
  if (!chunks.some((name) => name.startsWith('src/admin/')) && foreign.length > 0) {
    problems.push(`${route} downloads admin code: ${foreign.join(', ')}.`);
  }
}

for (const [name, chunk] of Object.entries(manifest)) {
  if (!chunk.isDynamicEntry) continue;
  const own = [...closure([name])].filter((part) => !entry.has(part));
  const size = gzippedKb(files(own));
  if (size > lazyChunkBudget)
    problems.push(`The lazy chunk ${name} brings ${size.toFixed(1)} KB of ${lazyChunkBudget}.`);
}

if (problems.length > 0) {
  console.error(problems.join('\n'));
  process.exit(1);
}
