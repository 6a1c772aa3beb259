import { afterEach, expect, vi } from 'vitest';
import { takeOffences } from './transaction-guard.ts';

// Hashing a password is slow on purpose, and thousands of test requests do it.
vi.mock('@node-rs/argon2', () => import('./doubles/cheap-hashing.ts'));

// A connection of the pool and its locks must not wait for a disk or a network, and a deadlock runs a transaction again.
afterEach(() => expect(takeOffences()).toEqual([]));
