import { vi } from 'vitest';

// Hashing a password is slow on purpose, and thousands of test requests do it.
vi.mock('@node-rs/argon2', () => import('./doubles/cheap-hashing.ts'));
