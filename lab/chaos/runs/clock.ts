import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { listAudit, type AuditEventView } from '#contract/moderation/audit.ts';
import { resendVerification } from '#contract/auth/auth.ts';
import { login, refreshToken } from '#contract/auth/session.ts';
import { changeAdminUser, editProfile, getProfile } from '#contract/profiles/profiles.ts';
import { runCommand } from '../../../launcher/command.ts';
import { bodyOf, call, inWords, mustCall, type Outcome } from '../http.ts';
import { fromNetwork, joinAs, password, resetByMail } from '../people.ts';
import { administratorToken, createProduct, makeAdministrator, type Product } from '../product.ts';
import { figure, notRun, type Proof } from '../proof.ts';
import { sessionIn } from '../../../server/test/session-in.ts';

const promise = '45 A wrong clock does no harm';
const email = 'clock@prove.test';
const home = fromNetwork(1);
const libraryFolders = [
  '/usr/lib/x86_64-linux-gnu/faketime',
  '/usr/lib/aarch64-linux-gnu/faketime',
  '/usr/lib/faketime',
];

/** Sets the server's clock two hours forward, two hours back and correct again, while the database keeps the right time. */
export const clock: Proof = {
  name: 'clock',
  about: 'a server whose clock is two hours fast, then two hours slow, then right',
  async run({ folder, say }) {
    const library = await findLibrary();
    if (library === null)
      return [notRun(promise, 'needs libfaketime; on Debian: apt-get install faketime, or run this as root')];
    const product = await createProduct(folder, { RATE_LIMITS: 'on', TRUSTED_PROXIES: 'loopback' });
    const wrong: string[] = [];
    const edits: string[] = [];
    try {
      await product.start();
      await makeAdministrator(product);
      const joined = await joinAs(product.origin, email, 1);
      let session = { token: joined.token, refreshToken: joined.refreshToken };
      let waiting: string | undefined;
      await edit(product, joined.user._id, 'true time', edits);
      for (const [name, offset] of [
        ['two hours fast', '+2h'],
        ['two hours slow', '-2h'],
        ['right again', '+0'],
      ] as const) {
        await product.end('SIGTERM');
        await product.start({ LD_PRELOAD: library, FAKETIME: offset, FAKETIME_DONT_FAKE_MONOTONIC: '1' });
        const seen = await live(product, session, waiting);
        session = seen.session;
        waiting = `waiting-${edits.length}@prove.test`;
        await joinAs(product.origin, waiting, 100 + edits.length);
        await edit(product, joined.user._id, name, edits);
        for (const words of seen.wrong) wrong.push(`${name}: ${words}`);
        say(`${name}: ${seen.wrong.length} of ${seen.checked} answers wrong`);
      }
      return [
        figure(promise, wrong.join('; ') || 'every answer correct, no free VIP', wrong.length === 0),
        await orderKept(product, edits),
        figure('45 No crash', product.isUp() ? 'the server runs' : 'the server ended', product.isUp()),
      ];
    } finally {
      await product.clear();
    }
  },
};

/** The path of libfaketime, which is installed first where possible. */
async function findLibrary(): Promise<string | null> {
  const find = () => {
    const folder = libraryFolders.find((path) => existsSync(path));
    const file =
      folder === undefined ? undefined : readdirSync(folder).find((name) => name.startsWith('libfaketime.so'));
    return folder === undefined || file === undefined ? null : join(folder, file);
  };
  if (find() === null && process.getuid?.() === 0) {
    await runCommand('apt-get', ['update'], { quiet: true });
    await runCommand('apt-get', ['install', '-y', '--no-install-recommends', 'faketime'], { quiet: true });
  }
  return find();
}

interface Session {
  token: string;
  refreshToken: string;
}

/** What a member does after the clock change with an earlier session, and one who has been waiting for a mail. */
async function live(
  { origin }: Product,
  session: Session,
  waiting: string | undefined,
): Promise<{ session: Session; wrong: string[]; checked: number }> {
  const wrong: string[] = [];
  let checked = 0;
  const expectStatus = (what: string, outcome: Outcome, status: number) => {
    checked += 1;
    const isRight = outcome.kind === 'answered' && outcome.status === status;
    if (!isRight) wrong.push(`${what} ended with ${inWords(outcome)} instead of ${status}`);
  };
  const options = { headers: home };

  expectStatus('a token from another time', await call(origin, getProfile, { ...options, token: session.token }), 401);
  const refreshed = await call(origin, refreshToken, { ...options, body: { refreshToken: session.refreshToken } });
  expectStatus('the refresh token', refreshed, 200);
  const renewed = bodyOf(refreshToken, refreshed)?.data ?? session;
  const profile = await call(origin, getProfile, { ...options, token: renewed.token });
  expectStatus('the new token', profile, 200);
  checked += 1;
  if (bodyOf(getProfile, profile)?.userData.user.isVIP !== false) wrong.push('the member is VIP');
  const bio = { bio: `written at ${performance.now()}` };
  expectStatus('an edit', await call(origin, editProfile, { ...options, token: renewed.token, body: bio }), 200);

  const slip = { email, password: 'a typo' };
  expectStatus('a wrong password', await call(origin, login, { ...options, body: slip }), 401);
  expectStatus('the right password', await call(origin, login, { ...options, body: { email, password } }), 200);
  expectStatus('a typo before the clock changes', await call(origin, login, { ...options, body: slip }), 401);
  if (waiting !== undefined) {
    const { token } = sessionIn(await mustCall(origin, login, { ...options, body: { email: waiting, password } }));
    expectStatus('another mail', await call(origin, resendVerification, { ...options, token, body: {} }), 200);
  }
  const newcomer = `newcomer-${Math.round(performance.now())}@prove.test`;
  await joinAs(origin, newcomer, 2);
  const reset = { email: newcomer, newPassword: `${password} again`, headers: fromNetwork(3) };
  await resetByMail(origin, reset, 10_000);
  return { session: renewed, wrong, checked };
}

/** One audited edit; its reason shows the order afterwards. */
async function edit(product: Product, id: string, reason: string, edits: string[]): Promise<void> {
  const token = await administratorToken(product);
  await mustCall(product.origin, changeAdminUser, { token, params: { id }, body: { lastName: reason, reason } });
  edits.push(reason);
}

/** The audit trail must list events in the order they happened, not by clock time. */
async function orderKept(product: Product, edits: string[]) {
  const token = await administratorToken(product);
  const { data } = await mustCall(product.origin, listAudit, { token, query: { action: 'user.edited' } });
  const reasons = data.events.map((event: AuditEventView) => event.reason ?? '').reverse();
  return figure('45 The order is kept', reasons.join(' → '), reasons.join() === edits.join());
}
