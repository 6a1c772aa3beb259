import type { FilterName } from '#contract/discovery.ts';

/** The filters of a member within a sentence about them. */
export const filterWords: Record<FilterName, string> = {
  gender: 'who they want to meet',
  age: 'age',
  distance: 'distance',
  interests: 'interests',
  photoVerified: 'photo verification',
  goal: 'what they are here for',
  languages: 'languages',
  children: 'children',
  smoking: 'smoking',
  drinking: 'drinking',
  exercise: 'exercise',
  heightCm: 'height',
};
