import { queryOptions, useMutation } from '@tanstack/react-query';
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
import { call } from '../../api/call.ts';
import { keys } from '../../api/keys.ts';
import { queryClient } from '../../api/query-client.ts';

/** Whether the member is photo verified, and how far they are. */
export const photoVerificationQuery = queryOptions({
  queryKey: [...keys.account, 'photo-verification'] as const,
  queryFn: async ({ signal }): Promise<PhotoVerification> => (await call(getPhotoVerification, { signal })).data,
});

const keep = ({ data }: { data: PhotoVerification }) => queryClient.setQueryData(photoVerificationQuery.queryKey, data);

/** Gets a pose, or another one. */
export const useDrawPose = () =>
  useMutation({
    mutationFn: (another: boolean) => call(drawPose, { body: { agreedTo: selfieTermsVersion, another } }),
    onSuccess: keep,
  });

/** Uploads one of the two selfies. */
export const useUploadSelfie = () =>
  useMutation({
    mutationFn: ({ id, shot, file }: { id: string; shot: SelfieShot; file: File }) =>
      call(uploadSelfie, { params: { id, shot }, file }),
    onSuccess: keep,
  });

/** Sends both selfies to staff. */
export const useSendSelfies = () =>
  useMutation({ mutationFn: (id: string) => call(sendSelfies, { params: { id } }), onSuccess: keep });

/** Withdraws and deletes the selfies. */
export const useWithdrawSelfies = () =>
  useMutation({ mutationFn: (id: string) => call(withdrawSelfies, { params: { id } }), onSuccess: keep });

/** Stops being photo verified. */
export const useGiveUpBadge = () => useMutation({ mutationFn: () => call(giveUpBadge), onSuccess: keep });

/** Chooses who may write first. */
export const useFirstContact = () =>
  useMutation({
    mutationFn: (onlyVerifiedMayWrite: boolean) => call(setFirstContact, { body: { onlyVerifiedMayWrite } }),
    onSuccess: keep,
  });
