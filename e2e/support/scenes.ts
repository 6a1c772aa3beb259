import type { Page } from 'playwright-core';
import type { people } from './visitor.ts';

/** A page of the app in one of its states. */
export interface Scene {
  name: string;
  path: string;
  as: keyof typeof people | 'visitor';
  /** Brings the page into this state once it has loaded. */
  open?: (page: Page) => Promise<void>;
  /** Whether the server renders the document, so that it is loaded again for each look. */
  isStatic?: boolean;
  /** Whether the page needs no further steps after loading. */
  isLoaded?: boolean;
  /** Waits until the page has settled. */
  settled: (page: Page) => Promise<void>;
  /** Expected server refusals, as `status path`. */
  refused?: string[];
}

const heading = (name: string) => (page: Page) => page.getByRole('heading', { level: 1, name }).waitFor();
const shown = (role: 'table' | 'list' | 'dialog', name: string) => (page: Page) =>
  page.getByRole(role, { name, exact: true }).waitFor();
/** Waits for a table, which is shown as cards on narrow screens. */
const rows = (name: string) => (page: Page) =>
  page
    .getByRole('table', { name, exact: true })
    .or(page.getByRole('list', { name, exact: true }))
    .filter({ visible: true })
    .first()
    .waitFor();
const button = (name: string) => (page: Page) => page.getByRole('button', { name }).waitFor();
const text = (words: string) => (page: Page) => page.getByText(words).first().waitFor();

/** Opens a form behind a button. The form stays open in the tab, and a second press in the second look would close it. */
async function unfold(page: Page, name: string): Promise<void> {
  const opener = page.getByRole('button', { name });
  if ((await opener.getAttribute('aria-expanded')) === 'false') await opener.click();
}

const longBanner = `On Sunday from two to four in the morning, we move to larger machines. You can go on reading everything, but messages
that you send then arrive later.`;

/** Opens the page again with a long banner of the owner. */
async function withBanner(page: Page): Promise<void> {
  const banner = { id: 'long', kind: 'maintenance', text: { en: longBanner }, startsInMs: 0, endsInMs: 3_600_000 };
  const json = { success: true, message: 'OK', data: { banner } };
  await page.route('**/api/v1/banner', (route) => route.fulfill({ json }));
  await page.goto(page.url());
  await text('On Sunday')(page);
  await page.unroute('**/api/v1/banner');
}

/** Opens the page as for a member who agreed to earlier terms. */
async function withNewTerms(page: Page): Promise<void> {
  await page.route('**/api/v1/auth/profile', async (route) => {
    const response = await route.fetch();
    const body = (await response.json()) as { userData: object };
    // The profiles of later scenes are left as they are.
    const userData = { ...body.userData, requiresTerms: page.url().endsWith('?asked') };
    await route.fulfill({ response, json: { ...body, userData } });
  });
  await page.goto(`${page.url()}?asked`);
}

/** Returns from Facebook, which gave an address that has an account. */
async function asOwnerOfAccount(page: Page): Promise<void> {
  const trip = JSON.stringify({ provider: 'facebook', purpose: 'signIn', state: 'x', from: null });
  await page.evaluate(`sessionStorage.setItem('identity-trip', ${JSON.stringify(trip)})`);
  const error = { success: false, message: 'There is an account.', code: 'LINK_NEEDS_PASSWORD' };
  const json = { ...error, data: { linkToken: 'x' } };
  await page.route('**/api/v1/auth/facebook', (route) => route.fulfill({ status: 409, json }));
  // Only another query loads the page again.
  await page.goto('/app/sign-in?returned#state=x&access_token=x');
}

/** The data of scenes: a user, a report and a match of theirs, and another member. */
export interface Subjects {
  userId: string;
  reportId: string;
  matchId: string;
  /** A match of theirs that is old enough to ask whether they met. */
  oldMatchId: string;
  /** The position of a message by the other member in that match. */
  messagePlace: string;
  memberId: string;
  /** Someone who likes one of the answers of a member with premium. */
  likerId: string;
  caseId: string;
}

/** Every route, and the dialogs over them. */
export function scenesOf({
  userId,
  reportId,
  matchId,
  oldMatchId,
  messagePlace,
  memberId,
  likerId,
  caseId,
}: Subjects): Scene[] {
  return [
    { name: 'login', path: '/login', as: 'visitor', settled: text('Welcome Back') },
    { name: 'privacy', path: '/privacy', as: 'visitor', settled: heading('Privacy Policy') },
    { name: 'safety', path: '/app/safety', as: 'visitor', settled: shown('list', 'Help lines') },
    { name: 'faqs', path: '/faqs', as: 'visitor', settled: heading('Frequently Asked Questions') },
    { name: 'status', path: '/app/status', as: 'visitor', settled: heading('Everything works'), isStatic: true },
    { name: 'landing', path: '/app', as: 'visitor', settled: heading('Dating that grows on you'), isStatic: true },
    { name: 'sign-in', path: '/app/sign-in', as: 'visitor', settled: heading('Sign in') },
    {
      name: 'join',
      path: '/app/join',
      as: 'visitor',
      // Until the app has loaded, the static document shows the heading.
      settled: (page) => page.getByLabel("What's your email?").waitFor(),
    },
    {
      name: 'is-this-you',
      path: '/app/sign-in',
      as: 'visitor',
      open: asOwnerOfAccount,
      settled: heading('Is this you?'),
      refused: ['409 /api/v1/auth/facebook'],
    },
    { name: 'verify-email', path: '/app/verify-email', as: 'visitor', settled: heading('Confirm your email address') },
    { name: 'forgot-password', path: '/app/forgot-password', as: 'visitor', settled: heading('Forgot your password?') },
    {
      name: 'reset-password',
      path: '/app/reset-password#token=x',
      as: 'visitor',
      settled: text('New password'),
      refused: ['400 /api/v1/auth/reset-password/methods'],
    },
    {
      name: 'verify-email-link',
      path: '/app/verify-email#token=x',
      as: 'visitor',
      settled: button('Confirm my email address'),
    },
    {
      name: 'email-change-cancel',
      path: '/app/email-change#cancel=x',
      as: 'visitor',
      settled: button('Cancel this change'),
    },
    {
      name: 'email-change-corrected',
      path: '/app/email-change#corrected=x',
      as: 'visitor',
      settled: button('Put my address back'),
    },
    {
      name: 'email-change-undo',
      path: '/app/email-change#undo=x',
      as: 'visitor',
      settled: button('Take my account back'),
    },
    {
      name: 'reset-password-bare',
      path: '/app/reset-password',
      as: 'visitor',
      settled: text('Open this page with the link'),
    },
    {
      name: 'second-step',
      path: '/app/second-step#remove=x',
      as: 'visitor',
      settled: button('Turn it off in three days'),
    },
    {
      name: 'shared-date-ended',
      path: '/app/date#x.y',
      as: 'visitor',
      settled: heading('This link has ended'),
      refused: ['404 /api/v1/dates/shared'],
    },
    { name: 'unsubscribe', path: '/app/unsubscribe#1.x.y', as: 'visitor', settled: button('Stop emails like this') },
    {
      name: 'unsubscribe-bare',
      path: '/app/unsubscribe',
      as: 'visitor',
      settled: text('This page needs the whole link'),
    },
    { name: 'banner', path: '/home', as: 'ada', open: withBanner, settled: text('On Sunday') },
    {
      name: 'new-terms',
      path: '/app/matches',
      as: 'ada',
      open: withNewTerms,
      settled: button('Agree and continue'),
    },
    { name: 'home', path: '/home', as: 'ada', settled: heading('Find Your Perfect Match') },
    { name: 'support', path: '/app/support', as: 'ada', settled: text('#') },
    { name: 'support-none', path: '/app/support', as: 'bo', settled: heading('Support') },
    { name: 'support-new', path: '/app/support/new', as: 'ada', settled: heading('Report a problem') },
    {
      name: 'support-new-about-a-member',
      path: `/app/support/new?user=${memberId}`,
      as: 'ada',
      settled: text('May be under 18'),
    },
    { name: 'support-report', path: `/app/support/${reportId}`, as: 'ada', settled: text('Your answer') },
    {
      name: 'check-in-gone',
      path: '/app/check-in/nobody',
      as: 'ada',
      settled: text('This date is no longer planned.'),
      refused: ['404 /api/v1/dates/nobody/check-in'],
    },
    { name: 'member', path: `/app/members/${memberId}`, as: 'ada', settled: button('Report or block') },
    {
      name: 'member-gone',
      path: '/app/members/nobody',
      as: 'ada',
      settled: text("This profile isn't available."),
      refused: ['404 /api/v1/auth/user/nobody'],
    },
    {
      name: 'premium',
      path: '/app/premium',
      as: 'ada',
      settled: button('Continue to payment'),
      refused: ['404 /api/v1/subscription/current'],
    },
    { name: 'premium-held', path: '/app/premium', as: 'bo', settled: text('Renews on') },
    { name: 'own-settings', path: '/app/settings', as: 'bo', settled: heading('Settings') },
    { name: 'own-settings-account', path: '/app/settings/account', as: 'bo', settled: button('Delete my account...') },
    { name: 'own-settings-security', path: '/app/settings/security', as: 'bo', settled: text('Signed-in devices') },
    {
      name: 'own-settings-security-forms',
      path: '/app/settings/security',
      as: 'bo',
      open: async (page) => {
        await unfold(page, 'Change email address...');
        await unfold(page, 'Change password...');
      },
      settled: (page) => page.getByLabel('New password').waitFor(),
    },
    { name: 'own-settings-privacy', path: '/app/settings/privacy', as: 'bo', settled: text('Pause my profile') },
    { name: 'own-settings-plan', path: '/app/settings/plan', as: 'bo', settled: shown('table', 'Invoices') },
    { name: 'own-settings-data', path: '/app/settings/data', as: 'bo', settled: button('Prepare my data') },
    {
      name: 'own-settings-notifications',
      path: '/app/settings/notifications',
      as: 'ada',
      settled: shown('table', 'What I want to be notified of'),
    },
    {
      name: 'notifications',
      path: '/home',
      as: 'ada',
      open: (page) => page.getByRole('button', { name: /^Notifications(, \d+ unread)?$/ }).click(),
      settled: (page) =>
        page.getByRole('dialog', { name: 'Notifications' }).getByText('Someone likes you').first().waitFor(),
    },
    {
      name: 'discover',
      path: '/app/discover',
      as: 'ada',
      isLoaded: true,
      // Parts that load later would move the targets while they are measured.
      settled: async (page) => {
        await button('Undo')(page);
        await page.waitForLoadState('networkidle');
      },
    },
    { name: 'discover-paused', path: '/app/discover', as: 'bo', settled: button('Resume') },
    { name: 'likes', path: '/app/likes', as: 'ada', settled: text('like you.') },
    { name: 'likes-sent', path: '/app/likes?tab=sent', as: 'ada', settled: heading('Likes') },
    { name: 'likes-held', path: '/app/likes', as: 'bo', settled: shown('list', 'Who likes you') },
    { name: 'people', path: '/app/people', as: 'ada', settled: shown('list', 'People') },
    { name: 'bookmarks', path: '/app/people?tab=bookmarks', as: 'ada', settled: text('You have no bookmarks yet.') },
    { name: 'matches', path: '/app/matches', as: 'ada', settled: shown('list', 'Your matches') },
    { name: 'messages', path: '/app/messages', as: 'ada', settled: shown('list', 'Conversations') },
    {
      name: 'conversation',
      path: `/app/messages/${matchId}`,
      as: 'ada',
      settled: (page) => page.getByRole('textbox', { name: /^Write to / }).waitFor(),
    },
    {
      name: 'conversation-asking',
      path: `/app/messages/${oldMatchId}`,
      as: 'ada',
      settled: text('Only you see your answer.'),
    },
    {
      name: 'conversation-gone',
      path: '/app/messages/nobody',
      as: 'ada',
      settled: text('Report what was written here'),
      refused: ['conversations/nobody', 'matches/nobody/date', 'matches/nobody/messages'].map(
        (path) => `404 /api/v1/${path}`,
      ),
    },
    {
      name: 'support-new-about-a-message',
      path: `/app/support/new?user=${memberId}&match=${matchId}&message=${messagePlace}`,
      as: 'ada',
      settled: (page) => page.getByRole('blockquote', { name: 'The message you are reporting' }).waitFor(),
    },
    { name: 'terms', path: '/app/terms', as: 'visitor', settled: heading('Terms') },
    { name: 'transparency', path: '/app/transparency', as: 'visitor', settled: text('No report yet') },
    { name: 'verify', path: '/app/verify', as: 'ada', settled: button('Agree and start') },
    { name: 'profile', path: '/app/profile', as: 'ada', settled: text('Who I want to meet') },
    { name: 'profile-paused', path: '/app/profile', as: 'bo', settled: button('Resume') },
    {
      name: 'member-who-likes',
      path: `/app/members/${likerId}?from=likes`,
      as: 'bo',
      settled: (page) => page.getByRole('region', { name: / liked your answer$/ }).waitFor(),
    },
    ...['name', 'birthday', 'people', 'ages', 'place', 'pictures', 'prompts', 'questions'].map((step): Scene => {
      const shownAs = { name: `welcome-${step}`, path: `/app/welcome?step=${step}`, as: 'ada' } as const;
      return { ...shownAs, settled: (page) => page.getByRole('main').locator('button[type=submit]').waitFor() };
    }),
    {
      name: 'dashboard',
      path: '/dashboard',
      as: 'administrator',
      settled: rows('Recent Users'),
    },
    { name: 'users', path: '/users', as: 'administrator', settled: text('Showing') },
    { name: 'users-none', path: '/users?search=nobody-at-all', as: 'administrator', settled: text('No users found') },
    { name: 'pending-pictures', path: '/queue/pictures', as: 'administrator', settled: text('Waiting since') },
    {
      name: 'selfies',
      path: '/queue/verification',
      as: 'administrator',
      settled: text('No selfies are waiting.'),
    },
    { name: 'user-dialog', path: `/users?user=${userId}`, as: 'administrator', settled: text('Edit User') },
    {
      name: 'user-dialog-edit',
      path: `/users?user=${userId}&edit=true`,
      as: 'administrator',
      settled: text('Save changes'),
    },
    { name: 'user', path: `/users/${userId}`, as: 'administrator', settled: text('Signed-in devices') },
    { name: 'user-edit', path: `/users/${userId}?edit=true`, as: 'administrator', settled: text('Save changes') },
    {
      name: 'reports',
      path: '/reports',
      as: 'administrator',
      settled: text('Showing'),
    },
    {
      name: 'reports-none',
      path: '/reports?search=nobody-at-all',
      as: 'administrator',
      settled: text('No reports found matching your criteria.'),
    },
    { name: 'report', path: `/reports/${reportId}`, as: 'administrator', settled: text('Timeline') },
    {
      name: 'report-gone',
      path: '/reports/nothing',
      as: 'administrator',
      settled: heading('Report not found'),
      refused: ['404 /api/v1/admin/reports/nothing'],
    },
    { name: 'start', path: '/start', as: 'administrator', settled: text('Waiting for me') },
    { name: 'cases', path: '/cases', as: 'administrator', settled: rows('Cases') },
    { name: 'cases-closed', path: '/cases?view=decided', as: 'administrator', settled: rows('Cases') },
    { name: 'cases-none', path: '/cases?view=mine', as: 'moderator', settled: heading('Cases') },
    { name: 'case', path: `/cases/${caseId}`, as: 'administrator', settled: text('Timeline') },
    {
      name: 'case-decision',
      path: `/cases/${caseId}`,
      as: 'administrator',
      open: async (page) => {
        await text('Timeline')(page);
        await page.keyboard.press('d');
      },
      settled: (page) => page.getByRole('combobox', { name: 'What did you find?' }).waitFor(),
    },
    {
      name: 'palette',
      path: '/cases',
      as: 'administrator',
      open: async (page) => {
        await rows('Cases')(page);
        await page.keyboard.press('Control+k');
      },
      settled: (page) => page.getByRole('listbox', { name: 'Results' }).waitFor(),
    },
    { name: 'appeals', path: '/appeals', as: 'administrator', settled: rows('Appeals') },
    { name: 'second-looks', path: '/second-looks', as: 'administrator', settled: text('Training cases') },
    { name: 'rules', path: '/rules', as: 'administrator', settled: text('Respect') },
    {
      name: 'automatic-rules',
      path: '/rules/automatic',
      as: 'administrator',
      settled: text('Likes at machine speed'),
    },
    {
      name: 'case-gone',
      path: '/cases/nothing',
      as: 'administrator',
      settled: heading('Case not found'),
      refused: ['404 /api/v1/admin/cases/nothing'],
    },
    { name: 'team', path: '/team', as: 'administrator', settled: rows('Team') },
    { name: 'insights', path: '/insights', as: 'administrator', settled: heading('Insights') },
    { name: 'insights-revenue', path: '/insights/revenue', as: 'administrator', settled: heading('Insights') },
    { name: 'insights-safety', path: '/insights/safety', as: 'administrator', settled: heading('Insights') },
    { name: 'matching', path: '/insights/matching', as: 'administrator', settled: text('Who sees the card') },
    { name: 'service', path: '/service', as: 'administrator', settled: text('Name of the service') },
    { name: 'service-texts', path: '/service/texts', as: 'administrator', settled: text('Text in Markdown') },
    { name: 'operations', path: '/operations', as: 'administrator', settled: text('Last backup') },
    { name: 'audit', path: '/audit', as: 'administrator', settled: rows('Audit trail') },
    { name: 'settings', path: '/settings', as: 'administrator', settled: button('Sign out this device') },
    { name: 'users-of-moderator', path: '/users', as: 'moderator', settled: text('Showing') },
  ];
}
