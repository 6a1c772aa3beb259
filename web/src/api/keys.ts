/** The names under which answers are cached; the first word is what invalidates them together. */
export const keys = {
  statistics: ['statistics'] as const,
  allUsers: ['users'] as const,
  users: (filters: object = {}) => ['users', filters] as const,
  user: (id: string) => ['user', id] as const,
  audit: (filters: object = {}) => ['audit', filters] as const,
  sessions: ['sessions'] as const,
};
