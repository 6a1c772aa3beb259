/** The names under which answers are cached; the first word is what invalidates them together. */
export const keys = {
  statistics: ['statistics'] as const,
  allUsers: ['users'] as const,
  users: (filters: object = {}) => ['users', filters] as const,
  user: (id: string) => ['user', id] as const,
  audit: (filters: object = {}) => ['audit', filters] as const,
  allReports: ['reports'] as const,
  reports: (filters: object = {}) => ['reports', filters] as const,
  report: (id: string) => ['report', id] as const,
  reportConversation: (id: string) => ['report', id, 'conversation'] as const,
  reportStatistics: ['report-statistics'] as const,
  userSubscriptions: (userId: string) => ['user-subscriptions', userId] as const,
  revenue: ['revenue'] as const,
  pictureQueue: ['pictures', 'queue'] as const,
  pendingPictures: ['pictures', 'pending'] as const,
};
