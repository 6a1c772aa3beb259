const memberPassword = 'heartwood-member-demo';

/** The accounts users can sign in with, in the order of their numbers. The passwords are public. */
export const demoAccounts = [
  { what: 'administrator', email: 'admin@heartwood.test', password: 'heartwood-admin-demo' },
  { what: 'moderator', email: 'moderator@heartwood.test', password: 'heartwood-moderator-demo' },
  { what: 'member (free)', email: 'ada@heartwood.test', password: memberPassword },
  { what: 'member (VIP)', email: 'bo@heartwood.test', password: memberPassword },
] as const;
