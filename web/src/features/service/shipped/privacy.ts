import { msg } from '@lingui/core/macro';
import type { ReadingSection } from './section.ts';

/** The eight sections of the privacy policy, numbered by their order. */
export const privacyTexts: readonly ReadingSection[] = [
  {
    title: msg`What we collect`,
    paragraphs: [
      msg`What you give us: your name, email address, birth date, gender, who you would like to meet, what you write about yourself, your pictures, interests, languages and habits, your answers to our questions, who you block or bookmark, your hidden words, saved filters and quiet hours, and the place you name. Your password is only stored as a hash that no one can read it from.`,
      msg`What is created when you use {brand}: when you joined, when you were last active, on which days you were here and when you first did things such as liking or writing to someone; the browsers you are signed in with, together with a shortened network address; the consent you gave and when; who you like, pass on or match with, what you write to each other and how you react to it, the dates you plan, whether you share them with a friend or want us to ask how they went, and whether you met if you tell us; what such decisions teach us about who to show you; what we notified you about and how you want to be notified; and what you write to our support team. If you turn on notifications for a device, also the address at which its browser can be reached; it is deleted when you turn them off or sign out.`,
    ],
  },
  {
    title: msg`Why we use it, and your consent`,
    paragraphs: [
      msg`We use your data to run the service: to show you to people who may suit you and them to you, to keep accounts safe, and to answer you.`,
      msg`That someone uses a dating service, and who they are looking for, deserves special protection. We process it only because you explicitly agreed when you joined. You can withdraw that consent at any time by deleting your account.`,
    ],
  },
  {
    title: msg`What other people see`,
    paragraphs: [
      msg`Members see your first name, your age, your gender, your city, a rough distance, your pictures once our team has approved them, and what you share on your profile: your texts, interests, languages, habits and what you are here for. They never see your last name, email address, birth date, exact location, who you are looking for, or your answers to our questions.`,
      msg`If you hide when you were last active, you no longer see it for others either, and you and your matches no longer see when the other reads or types messages.`,
      msg`Only your match can read what you write to them. Our team reads it if one of you reports it: it then gets a copy of that message and of a few around it, including what was changed or deleted before. It also reads notes and first messages that are held back for a check.`,
    ],
  },
  {
    title: msg`Your location`,
    paragraphs: [
      msg`Before anything is stored or calculated, your location is moved to the middle of an area about three kilometers across. We only keep that point, and only the latest one, and measure every distance from it.`,
    ],
  },
  {
    title: msg`Who we share it with`,
    paragraphs: [
      msg`We do not sell data and do not show advertising. Our pages contain no trackers, pixels or scripts by others; only when you pay by card does the payment provider load its own form.`,
      msg`Others receive data only where the service cannot run without it, such as the provider that delivers our email or the one that takes payments for premium (your name, email address and card; card numbers never reach us), or where the law requires it. The subjects of our emails are discreet, and we never put your email address into web addresses or logs.`,
      msg`If you sign in with Google or Facebook, you do so on their page, so they learn that you use {brand}. They tell us your name, your email address and the number they know you by. We tell them nothing about you.`,
    ],
  },
  {
    title: msg`How long we keep it`,
    paragraphs: [
      msg`When you delete your account, other members stop seeing you at once. For 14 days you can restore it. Within 30 days after that your data is erased, and it disappears from backups after 35 days at most.`,
      msg`What two people write to each other is kept while they are a match and for 180 days after, since it may still have to be reported. When one of them deletes their account, it is erased with their data. Whether you met is erased as soon as the match ends. After a goodbye, the other person can read the conversation for a week. Your device checks messages for harsh words; we never learn what it found.`,
      msg`When someone has been reported, we keep a copy of what others could see of them, including first name and pictures, and of the reported messages with a few around them, until two years after the report is settled. Otherwise people who harm others could end every case by deleting their account. Once the account is deleted, only that copy shows who it was about. Of a rejected picture we keep 64 bits by which it can be recognized, and of an account we closed a digest of its email address, for two years. Of a banned account we also keep digests of its sign-ins with Google or Facebook, its card and its pictures, until the ban is taken back and for two years at most, to notice when the same person comes back; a person on our team then decides.`,
      msg`Accounts whose email address is never confirmed are deleted after 30 days, the days on which you were here after three months, records of sign-ins and notifications after 90 days, and records of what our staff did after two years. Invoices are kept for ten years, as tax law requires, without your name once your account is deleted. Of a card that was used for a free trial we keep a digest, so that it gets only one.`,
    ],
  },
  {
    title: msg`Your rights and choices`,
    paragraphs: [
      msg`You can see and correct your data, receive a copy of it, have it erased, object to how we use it, and complain to a data protection authority.`,
      msg`Write to us from the address you joined with or, if you are not a member, use the link in our email. We answer within one month at the latest, usually within a few days.`,
    ],
  },
  {
    title: msg`Adults only, changes, and how to reach us`,
    paragraphs: [
      msg`{brand} is not for people under 18. We ask for your birth date when you join and refuse younger people. If we learn that a member is under 18, we close the account and erase its data.`,
      msg`When this policy changes in a way that matters, we tell you before it takes effect and ask again where your consent is needed. For any question about your data, write to our support team.`,
    ],
  },
];

/** The supplement to the eight sections. Its date is `termsVersion`. */
export const privacySupplement: readonly ReadingSection[] = [
  {
    title: msg`People you know`,
    paragraphs: [
      msg`Addresses of people you know are only stored as codes that no one can read them from, until you remove them or delete your account. Members with such an address can't see you, and nothing you see tells you who they are.`,
    ],
  },
  {
    title: msg`Photos and voice messages`,
    paragraphs: [
      msg`Photos in messages are stored without what their files say about the place and the camera, and are checked like pictures of a profile. Once you delete one, once it was opened (if it could be viewed only once), or once the match ends, no one sees it; we keep it for seven days in case it is reported, and then delete it. A report keeps copies of the photos of the person it is about. Photos that you chose but did not send are deleted after a day.`,
      msg`The same goes for voice messages. We store the sound without what the file says about you or your device, and no software listens to it. Your browser asks before it uses the microphone, and nothing leaves your device before you press Send.`,
      msg`A person’s first six photos in a conversation stay covered until you open them. Your device asks you once whether a first photo is welcome; we don’t learn your answer.`,
    ],
  },
  {
    title: msg`Dates`,
    paragraphs: [
      msg`If you share a date with a friend, anyone with your link sees your first name, the first name and picture of the person you meet, and the time and place. The other person can do the same with yours. Neither of you learns whether the other shares a date, checks in or asks us for help.`,
      msg`The plan of a date is erased seven days after the date, or after it or the match ended, with your links and check-in; a link stops working when you end it, and 24 hours after the date at the latest. If you say that all is good, we erase the check-in at once.`,
    ],
  },
  {
    title: msg`Checks by software and by our team`,
    paragraphs: [
      msg`Software looks for signs of fraud: how fast you like, copied first texts and those that get a warning, reports, links to closed accounts, pictures that are on other accounts, and changes of country. It may open a case for our team, label your account, and hold back your likes, notes and first messages for up to 72 hours until a person decides.`,
      msg`What software compares to find fraud, and digests of first texts, are kept for 30 days; what it found, with what a person decided about it, as long as your account or the case.`,
      msg`Our team checks each new picture. Our software marks those with a QR code and those that look like a removed picture or one on another account, so that they look closer. Only a few of our staff can open accounts, and each time we record who did it and when. “Your file” in the settings tells you of it: within a minute if you asked for help, otherwise a week or two after any case about you is over, with the kind of reason.`,
      msg`One in twenty decisions of our team is judged again by a colleague who was not part of it. Cases are also retold without names to train new colleagues. Our public transparency reports contain only counts, and none of fewer than ten.`,
    ],
  },
  {
    title: msg`Selfies and your age`,
    paragraphs: [
      msg`Selfies with which you verify your pictures are seen only by the staff who compare them. We delete them within a minute of the decision and after seven days at the latest, and no backup has them. For a year we keep when you sent some and what was decided.`,
      msg`Where the law of your country requires it, or when someone may be under 18, a provider checks that you are an adult. We ask you before you go there. It learns that you come from {brand}, but nothing about your profile, and tells us only whether you are an adult. We keep that answer and the day, and that a check was asked for or was not finished, as long as your account; an answer that you are not only until our team decides that it was wrong.`,
    ],
  },
  {
    title: msg`Warnings after fraud`,
    paragraphs: [
      msg`If we ban someone for fraud, we warn everyone who answered them in the 90 days before, in the app and by email. They learn the first name as they knew it, and nothing else about the person. If the ban is taken back before we warn, no one is warned; after that, we correct the warning. We keep a record of the warning for two years.`,
    ],
  },
  {
    title: msg`Emergencies, authorities and notices from outside`,
    paragraphs: [
      msg`If someone is in danger, or a court or an authority may lawfully demand it, we hand over what is needed and record what it was, who received it and on what legal basis. The message that wakes our staff in an emergency says nothing about anyone.`,
      msg`If data about someone must be preserved for a court, an authority or an emergency, we delete nothing about that person, whatever else is said here, until two of our staff agree that it is no longer needed. What the person wrote with someone whose account is erased meanwhile is kept without that one’s name.`,
      msg`If you tell us about something without being a member, only our staff read your notice, with your name and a part of your email address, because the law obliges us to look into it and to answer you. A notice that leads to nothing is deleted after a year, and after 30 days if you never confirmed your address; the others with the report. Your name and address are erased 183 days after the decision, or as soon as you ask on the page that our email leads to.`,
    ],
  },
  {
    title: msg`Notifications and payments`,
    paragraphs: [
      msg`If you turn on notifications for a device, the maker of its browser (such as Apple, Google, Microsoft or Mozilla) delivers them. They are encrypted and only say what kind of news there is: never who it is about, and never what was written.`,
      msg`When you withdraw from a contract, we keep when you did, and the payment provider returns your money.`,
    ],
  },
];
