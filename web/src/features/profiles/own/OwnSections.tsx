import type { OwnUser } from '#contract/profiles/user.ts';
import { formatDay } from '../../../ui/text/format.ts';
import { useLocale, useText } from '../../../ui/text/text.ts';
import { ChipList } from '../view/ChipList.tsx';
import { habitFacts, languageName } from '../../../ui/text/detail-words.ts';
import { FactList } from '../view/FactList.tsx';
import { PromptList } from '../view/PromptList.tsx';
import { genderWord, placeText } from '../staff/list/user-words.ts';
import { AboutForm } from './AboutForm.tsx';
import { InterestsForm, LanguagesForm } from './ChoiceForms.tsx';
import type { OwnPart } from './edit-profile.ts';
import { HabitsForm } from './HabitsForm.tsx';
import classes from './OwnSections.module.css';
import { PlaceForm } from './PlaceForm.tsx';
import { ProfileSection } from './ProfileSection.tsx';
import { PromptsForm } from './PromptsForm.tsx';

interface OwnSectionsProps extends OwnPart {
  onMoved: (location: OwnUser['location']) => void;
}

function AboutSection({ user, onUser }: OwnPart) {
  const t = useText();
  const locale = useLocale();
  const gender = genderWord(user);
  const facts = [
    [t('First name'), user.firstName],
    [t('Last name'), user.lastName],
    [t('Gender'), gender && t(gender)],
    [t('Birth date'), user.birthDate && formatDay(user.birthDate, locale)],
  ] as const;
  return (
    <ProfileSection
      name="about"
      title={t('About me')}
      isEmpty={facts.every(([, words]) => words === null) && user.bio === null}
      summary={
        <>
          <FactList facts={facts} />
          {user.bio !== null && (
            <p className={classes.bio} dir="auto">
              {user.bio}
            </p>
          )}
        </>
      }
    >
      {(leave) => <AboutForm {...leave} user={user} onUser={onUser} />}
    </ProfileSection>
  );
}

/** Everything others see of the member, part by part, each changed in its place. */
export function OwnSections({ user, onUser, onMoved }: OwnSectionsProps) {
  const t = useText();
  const locale = useLocale();
  const place = placeText(user.location);
  const habits = habitFacts(user, t, locale);
  return (
    <>
      <AboutSection user={user} onUser={onUser} />
      <ProfileSection
        name="place"
        title={t('Where I live')}
        isEmpty={place === null}
        summary={
          <p className={classes.place}>
            <bdi>{place}</bdi>
          </p>
        }
      >
        {(leave) => <PlaceForm {...leave} user={user} onMoved={onMoved} />}
      </ProfileSection>
      <ProfileSection
        name="habits"
        title={t('What I am here for, and how I live')}
        isEmpty={habits.every(([, words]) => words === null)}
        summary={<FactList facts={habits} />}
      >
        {(leave) => <HabitsForm {...leave} user={user} onUser={onUser} />}
      </ProfileSection>
      <ProfileSection
        name="interests"
        title={t('Interests')}
        isEmpty={user.interests.length === 0}
        summary={<ChipList label={t('Interests')} words={user.interests.map((interest) => t(interest))} />}
      >
        {(leave) => <InterestsForm {...leave} user={user} onUser={onUser} />}
      </ProfileSection>
      <ProfileSection
        name="languages"
        title={t('Languages')}
        isEmpty={user.languages.length === 0}
        summary={<ChipList label={t('Languages')} words={user.languages.map((code) => languageName(code, locale))} />}
      >
        {(leave) => <LanguagesForm {...leave} user={user} onUser={onUser} />}
      </ProfileSection>
      <ProfileSection
        name="prompts"
        title={t('In my own words')}
        lead={t('Begin up to three sentences, and end them as only you would.')}
        isEmpty={user.prompts.length === 0}
        summary={<PromptList prompts={user.prompts} />}
      >
        {(leave) => <PromptsForm {...leave} user={user} onUser={onUser} />}
      </ProfileSection>
    </>
  );
}
