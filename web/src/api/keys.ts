/**
 * The keys of the query cache, one for each kind of request. The first word names what is invalidated together:
 * `queryClient.invalidateQueries({ queryKey: keys.allReports })` covers every list of reports. Each feature keeps its
 * queries in one file, `features/<feature>/queries.ts`: a `queryOptions` (or `infiniteQueryOptions`) for each request,
 * a hook for each mutation, and nothing else that talks to the server.
 */
export const keys = {
  // Members
  config: ['config'] as const,
  ownProfile: ['own-profile'] as const,
  deck: ['deck'] as const,
  /**
   * The mutations with which the member has decided on people since the app was opened, see `connections/decisions.ts`.
   */
  decisions: ['decisions'] as const,
  preferences: ['preferences'] as const,
  allMembers: ['member'] as const,
  member: (id: string) => ['member', id] as const,
  allLikes: ['likes'] as const,
  likesReceived: ['likes', 'received'] as const,
  likesSent: ['likes', 'sent'] as const,
  matches: ['matches'] as const,
  blocks: ['blocks'] as const,
  conversations: ['conversations'] as const,
  unreadConversations: ['unread-conversations'] as const,
  allConversations: ['conversation'] as const,
  conversation: (matchId: string) => ['conversation', matchId] as const,
  messages: (matchId: string) => ['conversation', matchId, 'messages'] as const,
  messagePage: (matchId: string, page: number) => ['message-page', matchId, page] as const,
  quotedMessage: (matchId: string, seq: number) => ['quoted-message', matchId, seq] as const,
  allNotifications: ['notifications'] as const,
  notifications: ['notifications', 'list'] as const,
  newestNotification: ['notifications', 'newest'] as const,
  notificationSettings: ['notification-settings'] as const,
  questions: ['questions'] as const,
  answers: ['questions', 'answers'] as const,
  allOwnReports: ['own-reports'] as const,
  ownReports: ['own-reports', 'list'] as const,
  ownReport: (id: string) => ['own-reports', id] as const,
  unreadReports: ['own-reports', 'unread'] as const,
  notices: ['notices'] as const,
  transparency: ['transparency'] as const,
  account: ['account'] as const,
  protection: ['account', 'protection'] as const,
  secondFactor: ['account', 'second-factor'] as const,
  waysToSignIn: ['account', 'ways-to-sign-in'] as const,
  devices: ['account', 'devices'] as const,
  resetMethods: (token: string) => ['reset-methods', token] as const,
  premium: ['premium'] as const,
  currentSubscription: ['premium', 'current'] as const,
  premiumGift: ['premium', 'gift'] as const,
  subscriptions: ['premium', 'all'] as const,
  paymentMethods: ['premium', 'payment-methods'] as const,
  invoices: ['premium', 'invoices'] as const,
  invoice: (id: string) => ['premium', 'invoice', id] as const,
  planChange: (plan: string) => ['premium', 'change', plan] as const,
  setupIntent: ['premium', 'setup-intent'] as const,
  payer: (provider: string) => ['payer', provider] as const,

  // Staff queries that server events invalidate; the others are in `staff-keys.ts`
  statistics: ['statistics'] as const,
  allReports: ['reports'] as const,
  report: (id: string) => ['report', id] as const,
  reportStatistics: ['report-statistics'] as const,
  allCases: ['cases'] as const,
  case: (id: string) => ['case', id] as const,
  savedLists: ['saved-lists'] as const,
  start: ['start'] as const,
};
