/** Like `keys`, for queries that only staff screens make: members don't load them. */
export const staffKeys = {
  allUsers: ['users'] as const,
  users: (filters: object = {}) => ['users', filters] as const,
  /** Not below the users, whose entries are pages. */
  userSuggestions: (search: string) => ['user-suggestions', search] as const,
  user: (id: string) => ['user', id] as const,
  team: ['team'] as const,
  matching: ['matching'] as const,
  operations: ['operations'] as const,
  audit: (filters: object = {}) => ['audit', filters] as const,
  auditCheck: ['audit-check'] as const,
  reports: (filters: object = {}) => ['reports', filters] as const,
  reportConversation: (id: string) => ['report', id, 'conversation'] as const,
  cases: (list: object) => ['cases', list] as const,
  /** Below the cases, because whatever changes a case may change them. */
  appeals: (view: string) => ['cases', 'appeals', view] as const,
  appeal: (id: string) => ['appeal', id] as const,
  colleagues: (search: string) => ['colleagues', search] as const,
  caseTimes: ['case-times'] as const,
  ownCases: ['own-cases'] as const,
  userSubscriptions: (userId: string) => ['user-subscriptions', userId] as const,
  revenue: ['revenue'] as const,
  pictureQueue: ['pictures', 'queue'] as const,
  pendingPictures: ['pictures', 'pending'] as const,
  rules: ['rules'] as const,
  replyTemplates: ['reply-templates'] as const,
};
