import * as client from 'react-dom/client';

// In a chunk of its own, which the page runs before the rest: starting React is long enough for one task on a phone.
export const { createRoot } = client;
