export { checkInvitation, giveInvitationsBack, isInvited, takeInvitation } from './invitations.ts';
