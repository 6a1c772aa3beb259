import type { Payer } from '../buying/payer.ts';
import { payInSandbox } from './pay-in-sandbox.ts';
import { SandboxCardFields } from './SandboxCardFields.tsx';

/** Payments that move no money: test cards by their tokens, never a number. */
export const sandboxPayer: Payer = { CardFields: SandboxCardFields, payWithKept: payInSandbox };
