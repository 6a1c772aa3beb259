export { stopRenewing } from './buying/change.ts';
export { refundOffer, startRefund } from './refunds/refund.ts';
export { linkedWithdrawal, withdrawContract } from './refunds/withdraw.ts';
export { presentOf } from './providers/payments.ts';
export { giveBack } from './subscriptions.ts';
export { premiumData } from './reads.ts';
