import { lazyPage, lazyPart } from '../ui/lazy-page.tsx';

export const homePage = lazyPage(() => import('./pages/HomePage.tsx').then((module) => module.HomePage));
export const faqsPage = lazyPage(() => import('./pages/FaqsPage.tsx').then((module) => module.FaqsPage));
export const privacyPage = lazyPage(() => import('./pages/PrivacyPage.tsx').then((module) => module.PrivacyPage));
export const signInPage = lazyPage(() => import('./pages/SignInPage.tsx').then((module) => module.SignInPage));
export const joinPage = lazyPage(() => import('./pages/JoinPage.tsx').then((module) => module.JoinPage));
export const verifyEmailPage = lazyPage(() =>
  import('./pages/VerifyEmailPage.tsx').then((module) => module.VerifyEmailPage),
);
export const forgotPasswordPage = lazyPage(() =>
  import('./pages/ForgotPasswordPage.tsx').then((module) => module.ForgotPasswordPage),
);
export const resetPasswordPage = lazyPage(() =>
  import('./pages/ResetPasswordPage.tsx').then((module) => module.ResetPasswordPage),
);
export const supportPage = lazyPage(() => import('./pages/SupportPage.tsx').then((module) => module.SupportPage));
export const newReportPage = lazyPage(() => import('./pages/NewReportPage.tsx').then((module) => module.NewReportPage));
export const supportReportPage = lazyPage(() =>
  import('./pages/SupportReportPage.tsx').then((module) => module.SupportReportPage),
);
export const memberPage = lazyPage(() => import('./pages/MemberPage.tsx').then((module) => module.MemberPage));
export const settingsPage = lazyPage(() => import('./pages/SettingsPage.tsx').then((module) => module.SettingsPage));
export const profilePage = lazyPage(() => import('./pages/ProfilePage.tsx').then((module) => module.ProfilePage));
export const welcomePage = lazyPage(() => import('./pages/WelcomePage.tsx').then((module) => module.WelcomePage));
export const termsPage = lazyPage(() => import('./pages/TermsPage.tsx').then((module) => module.TermsPage));
export const premiumPage = lazyPage(() => import('./pages/PremiumPage.tsx').then((module) => module.PremiumPage));
export const discoverPage = lazyPage(() => import('./pages/DiscoverPage.tsx').then((module) => module.DiscoverPage));
export const likesPage = lazyPage(() => import('./pages/LikesPage.tsx').then((module) => module.LikesPage));
export const matchesPage = lazyPage(() => import('./pages/MatchesPage.tsx').then((module) => module.MatchesPage));
export const invoicePage = lazyPage(() => import('./pages/InvoicePage.tsx').then((module) => module.InvoicePage));

/** A part of the settings that brings the way to pay along. */
export const ownPlanPart = lazyPart(() =>
  import('../features/subscriptions/OwnPlan.tsx').then((module) => module.OwnPlan),
);

/** Further down in the settings: a new password, one's data, and the way out. */
export const passwordPart = lazyPart(() =>
  import('../features/auth/ChangePasswordForm.tsx').then((module) => module.ChangePasswordForm),
);
export const leavePart = lazyPart(() =>
  import('../features/auth/LeaveAccount.tsx').then((module) => module.LeaveAccount),
);
export const downloadPart = lazyPart(() =>
  import('../features/takeout/DownloadForm.tsx').then((module) => module.DownloadForm),
);

/** What members come for at the foot of narrow screens. */
export const memberTabs = lazyPart(() => import('./MemberTabs.tsx').then((module) => module.MemberTabs));
