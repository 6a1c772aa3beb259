const memberPassword = 'heartwood-member-demo';

/** The accounts that can sign in; the first four are in the order of their numbers. The passwords are public. */
export const demoAccounts = [
  { what: 'administrator', email: 'admin@heartwood.test', password: 'heartwood-admin-demo' },
  { what: 'moderator', email: 'moderator@heartwood.test', password: 'heartwood-moderator-demo' },
  { what: 'member (free)', email: 'ada@heartwood.test', password: memberPassword },
  { what: 'member (VIP)', email: 'bo@heartwood.test', password: memberPassword },
  { what: 'owner', email: 'owner@heartwood.test', password: 'heartwood-owner-demo' },
  { what: 'senior moderator', email: 'senior@heartwood.test', password: 'heartwood-senior-demo' },
  { what: 'support', email: 'support-agent@heartwood.test', password: 'heartwood-support-demo' },
  { what: 'billing', email: 'billing@heartwood.test', password: 'heartwood-billing-demo' },
  { what: 'analyst', email: 'analyst@heartwood.test', password: 'heartwood-analyst-demo' },
  { what: 'auditor', email: 'auditor@heartwood.test', password: 'heartwood-auditor-demo' },
] as const;
