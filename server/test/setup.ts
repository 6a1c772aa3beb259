import { afterEach, expect, vi } from 'vitest';
import { takeOffences } from './transaction-guard.ts';

// Hashing a password is deliberately slow, and thousands of test requests do it.
vi.mock('@node-rs/argon2', () => import('./doubles/cheap-hashing.ts'));

// A connection of the pool and its locks must not wait for a disk or a network, and a deadlock repeats the transaction.
afterEach(() => expect(takeOffences()).toEqual([]));
