import { vi } from 'vitest';

// Hashing a password is slow by intention, and some thousand requests of the tests do.
vi.mock('@node-rs/argon2', () => import('./doubles/cheap-hashing.ts'));
