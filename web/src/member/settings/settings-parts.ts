import { lazyPart } from '../../ui/loading/lazy-page.tsx';

/** A part of the settings that brings the way to pay along. */
export const ownPlanPart = lazyPart(() =>
  import('../../features/subscriptions/plan/OwnPlan.tsx').then((module) => module.OwnPlan),
);

/** Further down in the settings: what protects the account, one's data, and the way out. */
export const passwordPart = lazyPart(() =>
  import('../../features/auth/account/ChangePassword.tsx').then((module) => module.ChangePasswordForm),
);
export const waysToSignInPart = lazyPart(() =>
  import('../../features/auth/factors/WaysToSignIn.tsx').then((module) => module.WaysToSignIn),
);
export const secondFactorPart = lazyPart(() =>
  import('../../features/auth/factors/TwoStepVerification.tsx').then((module) => module.SecondFactor),
);
export const passkeysPart = lazyPart(() =>
  import('../../features/auth/factors/Passkeys.tsx').then((module) => module.Passkeys),
);
export const sessionsPart = lazyPart(() =>
  import('../../features/auth/account/DeviceList.tsx').then((module) => module.SessionList),
);
export const leavePart = lazyPart(() =>
  import('../../features/auth/account/DeleteAccount.tsx').then((module) => module.LeaveAccount),
);
export const downloadPart = lazyPart(() =>
  import('../../features/auth/account/DownloadData.tsx').then((module) => module.DownloadForm),
);

/** What one is told of, and how. */
export const notificationsPart = lazyPart(() =>
  import('../../features/notifications/NotificationSettings.tsx').then((module) => module.NotificationSettings),
);

/** How the app gets onto this device. */
export const installPanel = lazyPart(() =>
  import('../../features/installation/InstallOffer.tsx').then((module) => module.InstallPanel),
);
