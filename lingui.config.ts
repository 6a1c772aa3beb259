import { babelExtractor } from '@lingui/cli/api/extractors/babel';
import { defineConfig, type ExtractorType } from '@lingui/conf';
import { formatter } from '@lingui/format-po';
import { interestGroups, interests } from './contract/src/profiles/interests.ts';
import { replaceTexts } from './server/src/platform/http/document-texts.ts';

/** Texts about cases, decisions, reports and appeals that members also see. */
const shared = 'web/src/features/moderation/{appeals/appeal,cases/case,cases/decision,reports/report}-words.ts';
/** Payment errors, for members and in the figures of staff. */
const premiumErrors = 'web/src/features/subscriptions/errors.ts';
/** The standard answers to reporters, which staff see and members receive. */
const answers = 'contract/src/moderation/usual-answers.ts';
/** These pages open without a network, and devices store no staff texts. */
const login = 'web/src/admin/sign-in/LoginPage.tsx';
/** The desk for outsider reports, which is next to their form. */
const outsiderDesk = 'web/src/features/moderation/outsiders/{NoticeDesk,OutsiderReportsBrowser}.tsx';
/** The lists of the server for staff, with the columns of their exports. */
const lists = 'server/src/features/{moderation/{audit/audit,cases/export},*/staff/*.reads}.ts';
/** Files with texts that only staff read. */
const staff = [
  'web/src/admin/**/*.*',
  'web/src/ui/{chart,data/table}/**/*.*',
  'web/src/features/*/staff/**/*.*',
  'web/src/features/{insights,operations,statistics,discovery/insights}/**/*.*',
  'web/src/features/moderation/!(help-lines|outsiders|own-file|own-reports|statements|transparency)/**/*.*',
  outsiderDesk,
  'contract/src/{insights,service}/**/*.*',
  'contract/src/moderation/{automatic-rules,queue,rule-words,templates}.ts',
  'contract/src/profiles/user-filters.ts',
  lists,
  answers,
];
/** The frame of every page, and what pages of visitors, members and staff share. */
const common = [
  'web/src/*.*',
  'web/src/api/**/*.*',
  'web/src/ui/{data,feedback,form,keyboard,layout,loading,shell,theme}/**/*.*',
  'web/src/ui/text/{format,person}.ts',
  'web/src/member/{layout/*,sign-in/TermsQuestion}.*',
  'web/src/features/{notifications,shell}/**/*.*',
  'web/src/features/service/ServiceBanner.tsx',
  'web/src/features/auth/account/{AccountNotices,LanguageChoice}.tsx',
  'web/src/features/connections/NewMatches.tsx',
  'web/src/features/messages/{list/UnreadMessagesBadge,photos/upload-parts}.*',
  'web/src/features/moderation/own-reports/unread.tsx',
  'contract/src/{notifications,roles,text}.ts',
  'contract/src/auth/**/*.*',
  'contract/src/moderation/reports.ts',
  'contract/src/profiles/profile-details.ts',
  'contract/src/subscriptions/plan.ts',
];
/** Signing in and joining. */
const signIn = [
  login,
  'web/src/member/sign-in/{*Page,ConsentLine,Identity*,JoinClosed,LockedLink,OwnerProofForm,RestoreAccount,use-joining}.*',
  'web/src/features/auth/{factors,sign-in}/**/*.*',
  'web/src/features/auth/account/{ConfirmIdentity,OnDemand,ProofForm}.tsx',
];
/** Screens with a single question, for joining and for completing a profile. */
const steps = 'web/src/ui/steps/**/*.*';
/** Accounts, premium and reports: pages that are not opened every day, without the parts that other pages also show. */
const account = [
  'web/src/member/{settings,premium,support,public}/**/*.*',
  'web/src/member/profile/VerifyPage.tsx',
  'web/src/features/auth/account/{Change*,DeleteAccount,DeviceList,DownloadData}.tsx',
  'web/src/features/{subscriptions,selfies}/**/*.*',
  'web/src/features/moderation/{help-lines,outsiders,own-file,statements,transparency}/**/*.*',
  'web/src/features/moderation/own-reports/{Report{Detail,Form,List}.tsx,words.ts}',
  'contract/src/{known-people,photo-verification,subscriptions/payments-sandbox}.ts',
  'contract/src/moderation/{help-lines,outsider-reports,outsider-types}.ts',
];
/** The compatibility questions. */
const questions = ['contract/src/compatibility.ts', 'web/src/features/compatibility/**/*.*'];
/** The long texts of the public pages. */
const legal = [
  'web/src/member/public/{{Faqs,Privacy,Reading,Safety,Terms}Page,OwnersText}.tsx',
  'web/src/features/service/shipped/*.ts',
];
const contact = 'web/src/member/public/ContactAside.tsx';
const tests = '**/*.test.*';

/** Extracts the texts of the documents that the server sends in the reader's language. */
const documents: ExtractorType = {
  match: (file) => /\.(html|webmanifest)$/.test(file),
  extract: (file, source, found) =>
    void replaceTexts(source, (text) => {
      found({ ...text, origin: [file, 1] });
      return text.message;
    }),
};

/** The place where the app looks up translations of interests by their English names in the contract. */
const interestWords = 'web/src/ui/text/interest-words.ts';
/** Finds these names. */
const namesOfInterests: ExtractorType = {
  match: (file) => file.endsWith('contract/src/profiles/interests.ts'),
  extract(_file, _code, found) {
    const find = (kind: string, message: string) =>
      found({ id: `${kind}.${message}`, message, origin: [interestWords, 1] });
    for (const word of interests) find('interest', word);
    for (const title of Object.keys(interestGroups)) find('interests', title);
  },
};

/**
 * The texts of the interface, split by their readers, so that each page loads only the catalogues it needs. `npm run i18n:extract` writes
 * them; texts of staff pages exist only in English and German. Contract and server run from source, so their `msg` comes from
 * `@lingui/core/runtime-macro`.
 */
export default defineConfig({
  sourceLocale: 'en',
  locales: ['en', 'de', 'es', 'fr', 'pl', 'pt-BR', 'tr', 'ar'],
  experimental: { runtimeMacro: true },
  runtimeConfigModule: ['#i18n', 'i18n'],
  extractors: [namesOfInterests, babelExtractor, documents],
  format: formatter({ lineNumbers: false }),
  catalogs: [
    {
      path: 'locales/{locale}/members',
      include: ['web/src/**/*.*', 'contract/src/**/*.*'],
      exclude: [...common, ...staff, ...signIn, ...account, ...questions, ...legal, tests],
    },
    { path: 'locales/{locale}/common', include: common, exclude: [...staff, tests] },
    { path: 'locales/{locale}/sign-in', include: [...signIn, steps], exclude: [tests] },
    {
      path: 'locales/{locale}/account',
      include: [...account, shared, 'contract/src/dates.ts'],
      exclude: [...legal, outsiderDesk, tests],
    },
    { path: 'locales/{locale}/questions', include: questions, exclude: [tests] },
    { path: 'locales/{locale}/staff', include: [...staff, premiumErrors], exclude: [login, tests] },
    { path: 'locales/{locale}/legal', include: [...legal, contact], exclude: [tests] },
    {
      path: 'locales/{locale}/documents',
      include: ['web/{index,landing}.html', 'web/public/manifest.webmanifest'],
    },
    { path: 'locales/{locale}/worker', include: ['web/worker/**/*.*'], exclude: [tests] },
    { path: 'locales/{locale}/server', include: ['server/src/**/*.*', answers], exclude: [lists, tests] },
  ],
});
