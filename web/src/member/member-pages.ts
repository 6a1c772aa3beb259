import { lazyPage, lazyPart } from '../ui/lazy-page.tsx';

export const homePage = lazyPage(() => import('./pages/HomePage.tsx'));
export const faqsPage = lazyPage(() => import('./pages/FaqsPage.tsx'));
export const privacyPage = lazyPage(() => import('./pages/PrivacyPage.tsx'));
export const signInPage = lazyPage(() => import('./pages/SignInPage.tsx'));
export const joinPage = lazyPage(() => import('./pages/JoinPage.tsx'));
export const verifyEmailPage = lazyPage(() => import('./pages/VerifyEmailPage.tsx'));
export const forgotPasswordPage = lazyPage(() => import('./pages/ForgotPasswordPage.tsx'));
export const resetPasswordPage = lazyPage(() => import('./pages/ResetPasswordPage.tsx'));
export const secondStepPage = lazyPage(() => import('./pages/SecondStepPage.tsx'));
export const supportPage = lazyPage(() => import('./pages/SupportPage.tsx'));
export const newReportPage = lazyPage(() => import('./pages/NewReportPage.tsx'));
export const supportReportPage = lazyPage(() => import('./pages/SupportReportPage.tsx'));
export const memberPage = lazyPage(() => import('./pages/MemberPage.tsx'));
export const settingsPage = lazyPage(() => import('./pages/SettingsPage.tsx'));
export const profilePage = lazyPage(() => import('./pages/ProfilePage.tsx'));
export const welcomePage = lazyPage(() => import('./pages/WelcomePage.tsx'));
export const termsPage = lazyPage(() => import('./pages/TermsPage.tsx'));
export const premiumPage = lazyPage(() => import('./pages/PremiumPage.tsx'));
export const discoverPage = lazyPage(() => import('./pages/DiscoverPage.tsx'));
export const likesPage = lazyPage(() => import('./pages/LikesPage.tsx'));
export const matchesPage = lazyPage(() => import('./pages/MatchesPage.tsx'));
export const messagesPage = lazyPage(() => import('./pages/MessagesPage.tsx'));
export const unsubscribePage = lazyPage(() => import('./pages/UnsubscribePage.tsx'));
export const invoicePage = lazyPage(() => import('./pages/InvoicePage.tsx'));

/** What members come for at the foot of narrow screens. */
export const memberTabs = lazyPart(() => import('./MemberTabs.tsx').then((module) => module.MemberTabs));

/** What members are told of, in the header. */
export const bell = lazyPart(() => import('../features/notifications/Bell.tsx').then((module) => module.Bell));
