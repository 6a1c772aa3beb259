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

/** Makes scenes of one person: by name, path, what shows that the page has settled, and whatever else is special. */
const scenesAs =
  (as: Scene['as']) =>
  (name: string, path: string, settled: Scene['settled'], more: Omit<Partial<Scene>, 'as'> = {}): Scene => ({
    ...{ name, path, as, settled },
    ...more,
  });
const [visitor, ada, bo] = [scenesAs('visitor'), scenesAs('ada'), scenesAs('bo')];
const [moderator, administrator] = [scenesAs('moderator'), scenesAs('administrator')];

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
    visitor('login', '/login', text('Welcome Back')),
    visitor('privacy', '/privacy', heading('Privacy Policy')),
    visitor('safety', '/app/safety', shown('list', 'Help lines')),
    visitor('faqs', '/faqs', heading('Frequently Asked Questions')),
    visitor('status', '/app/status', heading('Everything works'), { isStatic: true }),
    visitor('landing', '/app', heading('Dating that grows on you'), { isStatic: true }),
    visitor('sign-in', '/app/sign-in', heading('Sign in')),
    // Until the app has loaded, the static document shows the heading.
    visitor('join', '/app/join', (page) => page.getByLabel("What's your email?").waitFor()),
    visitor('is-this-you', '/app/sign-in', heading('Is this you?'), {
      open: asOwnerOfAccount,
      refused: ['409 /api/v1/auth/facebook'],
    }),
    visitor('verify-email', '/app/verify-email', heading('Confirm your email address')),
    visitor('forgot-password', '/app/forgot-password', heading('Forgot your password?')),
    visitor('reset-password', '/app/reset-password#token=x', text('New password'), {
      refused: ['400 /api/v1/auth/reset-password/methods'],
    }),
    visitor('verify-email-link', '/app/verify-email#token=x', button('Confirm my email address')),
    visitor('email-change-cancel', '/app/email-change#cancel=x', button('Cancel this change')),
    visitor('email-change-corrected', '/app/email-change#corrected=x', button('Put my address back')),
    visitor('email-change-undo', '/app/email-change#undo=x', button('Take my account back')),
    visitor('reset-password-bare', '/app/reset-password', text('Open this page with the link')),
    visitor('second-step', '/app/second-step#remove=x', button('Turn it off in three days')),
    visitor('shared-date-ended', '/app/date#x.y', heading('This link has ended'), {
      refused: ['404 /api/v1/dates/shared'],
    }),
    visitor('unsubscribe', '/app/unsubscribe#1.x.y', button('Stop emails like this')),
    visitor('unsubscribe-bare', '/app/unsubscribe', text('This page needs the whole link')),
    ada('banner', '/home', text('On Sunday'), { open: withBanner }),
    ada('new-terms', '/app/matches', button('Agree and continue'), { open: withNewTerms }),
    ada('home', '/home', heading('Find Your Perfect Match')),
    ada('support', '/app/support', text('#')),
    bo('support-none', '/app/support', heading('Support')),
    ada('support-new', '/app/support/new', heading('Report a problem')),
    ada('support-new-about-a-member', `/app/support/new?user=${memberId}`, text('May be under 18')),
    ada('support-report', `/app/support/${reportId}`, text('Your answer')),
    ada('check-in-gone', '/app/check-in/nobody', text('This date is no longer planned.'), {
      refused: ['404 /api/v1/dates/nobody/check-in'],
    }),
    ada('member', `/app/members/${memberId}`, button('Report or block')),
    ada('member-gone', '/app/members/nobody', text("This profile isn't available."), {
      refused: ['404 /api/v1/auth/user/nobody'],
    }),
    ada('premium', '/app/premium', button('Continue to payment'), { refused: ['404 /api/v1/subscription/current'] }),
    bo('premium-held', '/app/premium', text('Renews on')),
    bo('own-settings', '/app/settings', heading('Settings')),
    bo('own-settings-account', '/app/settings/account', button('Delete my account...')),
    bo('own-settings-security', '/app/settings/security', text('Signed-in devices')),
    bo('own-settings-security-forms', '/app/settings/security', (page) => page.getByLabel('New password').waitFor(), {
      open: async (page) => {
        await unfold(page, 'Change email address...');
        await unfold(page, 'Change password...');
      },
    }),
    bo('own-settings-privacy', '/app/settings/privacy', text('Pause my profile')),
    bo('own-settings-plan', '/app/settings/plan', shown('table', 'Invoices')),
    bo('own-settings-data', '/app/settings/data', button('Prepare my data')),
    ada('own-settings-notifications', '/app/settings/notifications', shown('table', 'What I want to be notified of')),
    ada(
      'notifications',
      '/home',
      (page) => page.getByRole('dialog', { name: 'Notifications' }).getByText('Someone likes you').first().waitFor(),
      { open: (page) => page.getByRole('button', { name: /^Notifications(, \d+ unread)?$/ }).click() },
    ),
    // Parts that load later would move the targets while they are measured.
    ada(
      'discover',
      '/app/discover',
      async (page) => {
        await button('Undo')(page);
        await page.waitForLoadState('networkidle');
      },
      { isLoaded: true },
    ),
    bo('discover-paused', '/app/discover', button('Resume')),
    ada('likes', '/app/likes', text('like you.')),
    ada('likes-sent', '/app/likes?tab=sent', heading('Likes')),
    bo('likes-held', '/app/likes', shown('list', 'Who likes you')),
    ada('people', '/app/people', shown('list', 'People')),
    ada('bookmarks', '/app/people?tab=bookmarks', text('You have no bookmarks yet.')),
    ada('matches', '/app/matches', shown('list', 'Your matches')),
    ada('messages', '/app/messages', shown('list', 'Conversations')),
    ada('conversation', `/app/messages/${matchId}`, (page) =>
      page.getByRole('textbox', { name: /^Write to / }).waitFor(),
    ),
    ada('conversation-asking', `/app/messages/${oldMatchId}`, text('Only you see your answer.')),
    ada('conversation-gone', '/app/messages/nobody', text('Report what was written here'), {
      refused: ['conversations/nobody', 'matches/nobody/date', 'matches/nobody/messages'].map(
        (path) => `404 /api/v1/${path}`,
      ),
    }),
    ada(
      'support-new-about-a-message',
      `/app/support/new?user=${memberId}&match=${matchId}&message=${messagePlace}`,
      (page) => page.getByRole('blockquote', { name: 'The message you are reporting' }).waitFor(),
    ),
    visitor('terms', '/app/terms', heading('Terms')),
    visitor('transparency', '/app/transparency', text('No report yet')),
    ada('verify', '/app/verify', button('Agree and start')),
    ada('profile', '/app/profile', text('Who I want to meet')),
    bo('profile-paused', '/app/profile', button('Resume')),
    bo('member-who-likes', `/app/members/${likerId}?from=likes`, (page) =>
      page.getByRole('region', { name: / liked your answer$/ }).waitFor(),
    ),
    ...['name', 'birthday', 'people', 'ages', 'place', 'pictures', 'prompts', 'questions'].map((step) =>
      ada(`welcome-${step}`, `/app/welcome?step=${step}`, (page) =>
        page.getByRole('main').locator('button[type=submit]').waitFor(),
      ),
    ),
    administrator('dashboard', '/dashboard', rows('Recent Users')),
    administrator('users', '/users', text('Showing')),
    administrator('users-none', '/users?search=nobody-at-all', text('No users found')),
    administrator('pending-pictures', '/queue/pictures', text('Waiting since')),
    administrator('selfies', '/queue/verification', text('No selfies are waiting.')),
    administrator('user-dialog', `/users?user=${userId}`, text('Edit User')),
    administrator('user-dialog-edit', `/users?user=${userId}&edit=true`, text('Save changes')),
    administrator('user', `/users/${userId}`, text('Signed-in devices')),
    administrator('user-edit', `/users/${userId}?edit=true`, text('Save changes')),
    administrator('reports', '/reports', text('Showing')),
    administrator('reports-none', '/reports?search=nobody-at-all', text('No reports found matching your criteria.')),
    administrator('report', `/reports/${reportId}`, text('Timeline')),
    administrator('report-gone', '/reports/nothing', heading('Report not found'), {
      refused: ['404 /api/v1/admin/reports/nothing'],
    }),
    administrator('start', '/start', text('Waiting for me')),
    administrator('cases', '/cases', rows('Cases')),
    administrator('cases-closed', '/cases?view=decided', rows('Cases')),
    moderator('cases-none', '/cases?view=mine', heading('Cases')),
    administrator('case', `/cases/${caseId}`, text('Timeline')),
    administrator(
      'case-decision',
      `/cases/${caseId}`,
      (page) => page.getByRole('combobox', { name: 'What did you find?' }).waitFor(),
      {
        open: async (page) => {
          await text('Timeline')(page);
          await page.keyboard.press('d');
        },
      },
    ),
    administrator('palette', '/cases', (page) => page.getByRole('listbox', { name: 'Results' }).waitFor(), {
      open: async (page) => {
        await rows('Cases')(page);
        await page.keyboard.press('Control+k');
      },
    }),
    administrator('appeals', '/appeals', rows('Appeals')),
    administrator('second-looks', '/second-looks', text('Training cases')),
    administrator('rules', '/rules', text('Respect')),
    administrator('automatic-rules', '/rules/automatic', text('Likes at machine speed')),
    administrator('case-gone', '/cases/nothing', heading('Case not found'), {
      refused: ['404 /api/v1/admin/cases/nothing'],
    }),
    administrator('team', '/team', rows('Team')),
    administrator('insights', '/insights', heading('Insights')),
    administrator('insights-revenue', '/insights/revenue', heading('Insights')),
    administrator('insights-safety', '/insights/safety', heading('Insights')),
    administrator('matching', '/insights/matching', text('Who sees the card')),
    administrator('service', '/service', text('Name of the service')),
    administrator('service-texts', '/service/texts', text('Text in Markdown')),
    administrator('operations', '/operations', text('Last backup')),
    administrator('audit', '/audit', rows('Audit trail')),
    administrator('settings', '/settings', button('Sign out this device')),
    moderator('users-of-moderator', '/users', text('Showing')),
  ];
}
