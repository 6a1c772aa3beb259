import { lazyPage, lazyPart } from '../../ui/loading/lazy-page.tsx';

export const homePage = lazyPage(() => import('../public/HomePage.tsx'));
export const faqsPage = lazyPage(() => import('../public/FaqsPage.tsx'));
export const privacyPage = lazyPage(() => import('../public/PrivacyPage.tsx'));
export const signInPage = lazyPage(() => import('../sign-in/SignInPage.tsx'));
export const joinPage = lazyPage(() => import('../sign-in/JoinPage.tsx'));
export const verifyEmailPage = lazyPage(() => import('../sign-in/VerifyEmailPage.tsx'));
export const forgotPasswordPage = lazyPage(() => import('../sign-in/ForgotPasswordPage.tsx'));
export const resetPasswordPage = lazyPage(() => import('../sign-in/ResetPasswordPage.tsx'));
export const secondStepPage = lazyPage(() => import('../sign-in/SecondStepPage.tsx'));
export const supportPage = lazyPage(() => import('../support/SupportPage.tsx'));
export const newReportPage = lazyPage(() => import('../support/NewReportPage.tsx'));
export const supportReportPage = lazyPage(() => import('../support/SupportReportPage.tsx'));
export const memberPage = lazyPage(() => import('../people/MemberPage.tsx'));
export const settingsPage = lazyPage(() => import('../settings/SettingsPage.tsx'));
export const profilePage = lazyPage(() => import('../profile/ProfilePage.tsx'));
export const welcomePage = lazyPage(() => import('../profile/WelcomePage.tsx'));
export const termsPage = lazyPage(() => import('../public/TermsPage.tsx'));
export const premiumPage = lazyPage(() => import('../premium/PremiumPage.tsx'));
export const discoverPage = lazyPage(() => import('../discover/DiscoverPage.tsx'));
export const likesPage = lazyPage(() => import('../people/LikesPage.tsx'));
export const matchesPage = lazyPage(() => import('../people/MatchesPage.tsx'));
export const messagesPage = lazyPage(() => import('../messages/MessagesPage.tsx'));
export const unsubscribePage = lazyPage(() => import('../public/UnsubscribePage.tsx'));
export const invoicePage = lazyPage(() => import('../premium/InvoicePage.tsx'));

/** What members come for at the foot of narrow screens. */
export const memberTabs = lazyPart(() => import('./MemberTabs.tsx').then((module) => module.MemberTabs));

/** What members are told of, in the header. */
export const bell = lazyPart(() => import('../../features/notifications/Bell.tsx').then((module) => module.Bell));
