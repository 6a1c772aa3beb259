import {
  drawPose,
  getPhotoVerification,
  giveUpBadge,
  type PhotoVerification,
  type SelfieShot,
  selfieTermsVersion,
  sendSelfies,
  setFirstContact,
  uploadSelfie,
  withdrawSelfies,
} from '#contract/photo-verification.ts';
import { endpointQuery, useCommand } from '../../api/endpoint-query.ts';
import { queryClient } from '../../api/query-client.ts';

// All commands answer with the new state, so the answers have to arrive in the order of the commands.
const keep = {
  scope: { id: 'photo-verification' },
  onSuccess: (data: PhotoVerification) => queryClient.setQueryData(endpointQuery(getPhotoVerification).queryKey, data),
};

/** Gets a pose, or another one. */
export const useDrawPose = () =>
  useCommand(drawPose, (another: boolean) => ({ body: { agreedTo: selfieTermsVersion, another } }) as const, keep);

/** Uploads one of the two selfies. */
export const useUploadSelfie = () =>
  useCommand(
    uploadSelfie,
    ({ id, shot, file }: { id: string; shot: SelfieShot; file: File }) => ({ params: { id, shot }, file }),
    keep,
  );

/** Sends both selfies to staff. */
export const useSendSelfies = () => useCommand(sendSelfies, (id: string) => ({ params: { id } }), keep);

/** Withdraws and deletes the selfies. */
export const useWithdrawSelfies = () => useCommand(withdrawSelfies, (id: string) => ({ params: { id } }), keep);

/** Stops being photo verified. */
export const useGiveUpBadge = () => useCommand(giveUpBadge, () => ({}), keep);

/** Chooses who may write first. */
export const useFirstContact = () =>
  useCommand(setFirstContact, (onlyVerifiedMayWrite: boolean) => ({ body: { onlyVerifiedMayWrite } }), keep);
