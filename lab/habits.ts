/** What the average active member does on a day. Assumed. */
export const habits = {
  activeShare: 0.2,
  minutesOnline: 24,
  perDay: {
    profile: 6,
    refresh: 3,
    page: 4,
    refill: 1.5,
    like: 15,
    pass: 45,
    matches: 10,
    likesReceived: 3,
    notifications: 12,
    person: 3,
    message: 8,
    search: 0.2,
    login: 0.05,
    picture: 0.02,
  },
} as const;
