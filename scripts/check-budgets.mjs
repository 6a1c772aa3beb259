// Holds the built web app to its budgets: per route the gzipped JS and CSS of a cold visit, and no admin code for members.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

const outDir = join(import.meta.dirname, '../dist/web');
/** @type {Record<string, { file: string, css?: string[], imports?: string[], dynamicImports?: string[], isDynamicEntry?: boolean }>} */
const manifest = JSON.parse(readFileSync(join(outDir, '.vite/manifest.json'), 'utf8'));

const member = (/** @type {string} */ page) => [`src/member/pages/${page}.tsx`];
const admin = (/** @type {string} */ page) => ['src/admin/AdminLayout.tsx', `src/admin/pages/${page}.tsx`];

/** Route, the chunks it asks for besides the entry, and its budget in KB (1,000 bytes) gzipped. */
const routes = [
  { route: '/login', chunks: ['src/admin/LoginPage.tsx'], budget: 145 },
  { route: '/privacy', chunks: member('PrivacyPage'), budget: 145 },
  { route: '/faqs', chunks: member('FaqsPage'), budget: 145 },
  { route: '/home', chunks: member('HomePage'), budget: 145 },
  { route: '/app/discover', chunks: member('DiscoverPage'), budget: 165 },
  { route: '/app/likes', chunks: member('LikesPage'), budget: 165 },
  { route: '/app/matches', chunks: member('MatchesPage'), budget: 165 },
  { route: '/app/messages', chunks: member('MessagesPage'), budget: 165 },
  { route: '/app/terms', chunks: member('TermsPage'), budget: 165 },
  { route: '/app/sign-in', chunks: member('SignInPage'), budget: 165 },
  { route: '/app/join', chunks: member('JoinPage'), budget: 165 },
  { route: '/app/verify-email', chunks: member('VerifyEmailPage'), budget: 165 },
  { route: '/app/forgot-password', chunks: member('ForgotPasswordPage'), budget: 165 },
  { route: '/app/reset-password', chunks: member('ResetPasswordPage'), budget: 165 },
  { route: '/app/second-step', chunks: member('SecondStepPage'), budget: 165 },
  { route: '/app/unsubscribe', chunks: member('UnsubscribePage'), budget: 165 },
  { route: '/app/support', chunks: member('SupportPage'), budget: 165 },
  { route: '/app/support/new', chunks: member('NewReportPage'), budget: 165 },
  { route: '/app/support/:id', chunks: member('SupportReportPage'), budget: 165 },
  { route: '/app/members/:id', chunks: member('MemberPage'), budget: 165 },
  { route: '/app/welcome', chunks: member('WelcomePage'), budget: 165 },
  { route: '/app/profile', chunks: member('ProfilePage'), budget: 165 },
  { route: '/app/settings', chunks: member('SettingsPage'), budget: 165 },
  { route: '/app/premium', chunks: member('PremiumPage'), budget: 165 },
  { route: '/app/premium/invoices/:id', chunks: member('InvoicePage'), budget: 165 },
  { route: '/dashboard', chunks: admin('DashboardPage'), budget: 210 },
  { route: '/users', chunks: admin('UsersPage'), budget: 225 },
  { route: '/users/:id', chunks: admin('UserPage'), budget: 225 },
  { route: '/reports', chunks: admin('ReportsPage'), budget: 225 },
  { route: '/reports/:id', chunks: admin('ReportPage'), budget: 225 },
  { route: '/audit', chunks: admin('AuditPage'), budget: 225 },
  { route: '/settings', chunks: admin('SettingsPage'), budget: 225 },
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
