import type { NameLists } from './name-lists.ts';

export const africaAndOceania = {
  yoruba: {
    women: 'Adéọlá, Adaeze, Bùkọ́lá, Chidinma, Fọlákẹ́, Ìfẹ́olúwa, Ngozi, Ọmọlará, Tèmítọ́pẹ́, Yétúndé, Zainab, Halima',
    men: 'Adéwálé, Babátúndé, Chukwuemeka, Ibrahim, Kọ́lápọ̀, Obinna, Olúwaṣeun, Ṣẹ́gun, Táíwò, Uche, Musa, Sani',
    families: 'Abubakar, Adébáyò, Adéyẹmí, Balogun, Danjuma, Eze, Nwosu, Okafor, Okonkwo, Ògúnbíyì, Ọláníyan, Yusuf',
  },
  akan: {
    women: 'Abena, Adwoa, Afia, Akosua, Ama, Efua, Esi, Yaa',
    men: 'Kofi, Kojo, Kwabena, Kwame, Kwasi, Kwaku, Nii, Yaw',
    families: 'Addo, Agyeman, Ansah, Asante, Boateng, Mensah, Osei, Owusu, Johnson, Kamara, Sesay',
  },
  westAfrican: {
    women: 'Aïssatou, Aminata, Awa, Bintou, Djeneba, Fatoumata, Khady, Mariam, Oumou, Rokia',
    men: 'Abdoulaye, Boubacar, Cheikh, Ibrahima, Mamadou, Modou, Ousmane, Seydou, Souleymane, Yao',
    families: "Ba, Camara, Cissé, Coulibaly, Diallo, Diop, Kouassi, Koné, N'Diaye, Ouédraogo, Sow, Traoré, N'Guessan",
  },
  centralAfrican: {
    women: 'Béatrice, Clarisse, Divine, Espérance, Grâce, Mireille, Nadège, Solange, Chantal, Immaculée',
    men: 'Arsène, Christian, Dieudonné, Fabrice, Héritier, Jean-Claude, Landry, Patrice, Trésor, Olivier',
    families: "Abega, Ilunga, Kabongo, Lukusa, Mbala, Mbeki, Mukendi, N'Goma, Ndayishimiye, Ngoie, Tshibanda, Uwimana",
  },
  ethiopian: {
    women: 'ሄለን=Helen, ሰላም=Selam, ትዕግስት=Tigist, አልማዝ=Almaz, Bethlehem, Hiwot, Meron, Rahel',
    men: 'ዳዊት=Dawit, ተስፋዬ=Tesfaye, ዮሐንስ=Yohannes, አበበ=Abebe, Bereket, Henok, Samson, Yonas',
    families: 'ኃይሌ=Haile, ገብረ=Gebre, Alemu, Bekele, Desta, Kebede, Mekonnen, Tadesse',
  },
  eastAfrican: {
    women: 'Achieng, Aisha, Furaha, Makena, Muthoni, Nakato, Neema, Njeri, Wanjiku, Zawadi',
    men: 'Baraka, Jabari, Juma, Kamau, Kiprono, Mwangi, Ochieng, Okello, Rashidi, Simba',
    families: "Chebet, Kariuki, Kimani, Mugisha, Mwakasege, Njoroge, Odhiambo, Okoth, Otieno, Salim, Were, Ng'ang'a",
  },
  southernAfrican: {
    women: 'Anele, Busisiwe, Chipo, Lerato, Nomvula, Palesa, Rutendo, Thandiwe, Zanele, Mariska',
    men: 'Bongani, Farai, Kagiso, Lwazi, Sipho, Tafadzwa, Tendai, Thabo, Themba, Ruan',
    families:
      'Banda, Botha, Chirwa, Dlamini, Khumalo, Mokoena, Moyo, Naidoo, Ndlovu, Nkosi, Sithole, van der Merwe, Zulu',
  },
  malagasy: {
    women: 'Fanja, Hanitra, Lalao, Mialy, Noro, Voahangy',
    men: 'Andry, Faly, Haja, Mamy, Naina, Tahina',
    families: 'Andriamanana, Rabe, Rakotoarisoa, Rakotomalala, Ramanantsoa, Rasoanaivo, Razafindrakoto',
  },
  haitian: {
    women: 'Fabiola, Guerline, Islande, Marie-Ange, Nadège, Rose-Laure',
    men: 'Emmanuel, Frantz, Jean-Robert, Jocelyn, Stanley, Wilner',
    families: 'Augustin, Baptiste, Cadet, Désir, Jean-Louis, Joseph, Pierre, Toussaint',
  },
  caribbean: {
    women: 'Alicia, Camesha, Kerry-Ann, Latoya, Nadine, Shanice, Shelly-Ann, Tamika',
    men: 'Andre, Damion, Delroy, Garfield, Kemar, Marlon, Oneil, Winston',
    families: 'Bailey, Clarke, Grant, Henry, Mohammed, Persad, Powell, Ramdin, Thompson, Williams',
  },
  polynesian: {
    women: 'Ana, Hina, Leilani, Losa, Mele, Moana, Ngaire, Sina, Tiare, Aroha',
    men: 'Ioane, Kai, Manu, Rangi, Sione, Tama, Tāne, Tevita, Wiremu, Viliami',
    families: 'Fonoti, Kahale, Kapaʻa, Ngata, Parata, Taufa, Tāwhiri, Teriierooiterai, Tuilagi, Vakatawa, Waqa',
  },
} satisfies Record<string, NameLists>;
