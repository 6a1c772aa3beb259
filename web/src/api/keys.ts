import type { getAgeCheck } from '#contract/age-check.ts';
import type { listSessions } from '#contract/auth/auth.ts';
import type { getSecondFactor } from '#contract/auth/factors.ts';
import type { listIdentities } from '#contract/auth/identities.ts';
import type { likesReceived, likesSent, listBlocks, listMatches } from '#contract/connections.ts';
import type { getOwnFile } from '#contract/moderation/own-file.ts';
import type { getPhotoVerification } from '#contract/photo-verification.ts';
import type { getUser } from '#contract/profiles/profiles.ts';
import type { getExport } from '#contract/takeout.ts';
import { keyAt } from './endpoint-query.ts';

/**
 * The keys of queries that are more than one endpoint's answer, or that realtime events change. All others are an
 * endpoint's path and input, see `endpoint-query.ts`.
 */
export const keys = {
  // Members
  ownProfile: ['own-profile'] as const,
  deck: ['deck'] as const,
  /** The mutations with which the member has decided about people since the app was opened, see `connections/decisions.ts`. */
  decisions: ['decisions'] as const,
  preferences: ['preferences'] as const,
  allMembers: keyAt<typeof getUser>('/auth/user/{id}'),
  member: (id: string) => keyAt<typeof getUser>('/auth/user/{id}', { id }),
  likesReceived: [...keyAt<typeof likesReceived>('/likes/received', { limit: 20 }), 'pages'],
  likesSent: [...keyAt<typeof likesSent>('/likes/sent', { limit: 20 }), 'pages'],
  matches: [...keyAt<typeof listMatches>('/matches', { limit: 20 }), 'pages'],
  blocks: keyAt<typeof listBlocks>('/blocks'),
  conversations: ['conversations'] as const,
  snoozedConversations: ['conversations', 'snoozed'] as const,
  hiddenWords: ['hidden-words'] as const,
  quietHours: ['notification-settings', 'quiet'] as const,
  unreadConversations: ['unread-conversations'] as const,
  allConversations: ['conversation'] as const,
  conversation: (matchId: string) => ['conversation', matchId] as const,
  messages: (matchId: string) => ['conversation', matchId, 'messages'] as const,
  messagePage: (matchId: string, page: number) => ['message-page', matchId, page] as const,
  quotedMessage: (matchId: string, seq: number) => ['quoted-message', matchId, seq] as const,
  allDates: ['date'] as const,
  date: (matchId: string) => ['date', matchId] as const,
  checkIn: (id: string) => ['date', 'check-in', id] as const,
  allNotifications: ['notifications'] as const,
  notifications: ['notifications', 'list'] as const,
  newestNotification: ['notifications', 'newest'] as const,
  allOwnReports: ['own-reports'] as const,
  ownReports: ['own-reports', 'list'] as const,
  ownReport: (id: string) => ['own-reports', id] as const,
  unreadReports: ['own-reports', 'unread'] as const,
  premium: ['premium'] as const,
  currentSubscription: ['premium', 'current'] as const,
  premiumGift: ['premium', 'gift'] as const,
  ownCountry: ['premium', 'country'] as const,
  subscriptions: ['premium', 'all'] as const,
  paymentMethods: ['premium', 'payment-methods'] as const,
  invoices: ['premium', 'invoices'] as const,
  invoice: (id: string) => ['premium', 'invoice', id] as const,
  planChange: (plan: string) => ['premium', 'change', plan] as const,
  setupIntent: ['premium', 'setup-intent'] as const,
  payer: (provider: string) => ['payer', provider] as const,
};

/** The contents of the member's account page: sign-in methods, verification, the data export and the file. */
export const accountKeys = [
  keyAt<typeof getSecondFactor>('/auth/totp'),
  keyAt<typeof listIdentities>('/auth/identities'),
  keyAt<typeof listSessions>('/auth/sessions'),
  keyAt<typeof getOwnFile>('/auth/file'),
  keyAt<typeof getAgeCheck>('/age-check'),
  keyAt<typeof getPhotoVerification>('/photo-verification'),
  keyAt<typeof getExport>('/auth/export/status'),
];
