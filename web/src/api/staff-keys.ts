/** Like `keys`, but for queries that only staff screens use, so that members do not load them. */
export const staffKeys = {
  allUsers: ['users'] as const,
  users: (filters: object = {}) => ['users', filters] as const,
  /** Not under `users`, because its entries are pages of a list. */
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
  /** Under `cases`, because every change to a case may also change its appeals. */
  appeals: (view: string) => ['cases', 'appeals', view] as const,
  appeal: (id: string) => ['appeal', id] as const,
  colleagues: (search: string) => ['colleagues', search] as const,
  caseTimes: ['case-times'] as const,
  userSubscriptions: (userId: string) => ['user-subscriptions', userId] as const,
  revenue: ['revenue'] as const,
  pictureQueue: ['pictures', 'queue'] as const,
  pendingPictures: ['pictures', 'pending'] as const,
  rules: ['rules'] as const,
  replyTemplates: ['reply-templates'] as const,
};
