import type { NameLists } from './name-lists.ts';

export const asia = {
  arabic: {
    women:
      'أمل=Amal, بسمة=Basma, جنى=Jana, دلال=Dalal, رنا=Rana, سلمى=Salma, شهد=Shahd, ليلى=Layla, مريم=Maryam, نور=Nour, هدى=Huda, ياسمين=Yasmin',
    men: 'أحمد=Ahmad, بلال=Bilal, حسن=Hassan, خالد=Khaled, سامي=Sami, طارق=Tariq, عمر=Omar, فارس=Faris, كريم=Karim, محمود=Mahmoud, يوسف=Youssef, زياد=Ziad',
    families:
      'الأحمد=Al-Ahmad, البغدادي=Al-Baghdadi, الحداد=Haddad, الخطيب=Al-Khatib, السيد=El-Sayed, الشامي=Al-Shami, القحطاني=Al-Qahtani, المصري=El-Masri, النجار=Najjar, منصور=Mansour, صالح=Saleh, عبد الله=Abdullah',
  },
  maghrebi: {
    women: 'Amina, Chaïma, Fatima-Zahra, Ghita, Hajar, Imane, Kenza, Meriem, Nawal, Rim',
    men: 'Abdelkader, Anas, Badr, Hicham, Ilyas, Lotfi, Mehdi, Nabil, Rachid, Yacine',
    families: 'Alaoui, Belkacem, Ben Youssef, Benali, Bouazizi, Cherkaoui, El Fassi, Haddad, Idrissi, Trabelsi',
  },
  hebrew: {
    women: 'אביגיל=Avigail, דנה=Dana, יעל=Yael, מיכל=Michal, נועה=Noa, רות=Ruth, שירה=Shira, תמר=Tamar',
    men: 'אורי=Uri, איתן=Eitan, גיל=Gil, דניאל=Daniel, יונתן=Yonatan, נדב=Nadav, עמית=Amit, רועי=Roi',
    families: 'אברהם=Avraham, ביטון=Biton, כהן=Cohen, לוי=Levi, מזרחי=Mizrahi, פרידמן=Friedman, שפירא=Shapira',
  },
  persian: {
    women:
      'آناهیتا=Anahita, پریسا=Parisa, ژاله=Zhaleh, شیرین=Shirin, کیمیا=Kimia, گلناز=Golnaz, نگار=Negar, یاسمن=Yasaman',
    men: 'آرش=Arash, بهرام=Bahram, پویا=Pouya, داریوش=Dariush, سیاوش=Siavash, فرهاد=Farhad, کاوه=Kaveh, نیما=Nima',
    families: 'احمدی=Ahmadi, پارسا=Parsa, حسینی=Hosseini, رستمی=Rostami, شریفی=Sharifi, کریمی=Karimi, یزدانی=Yazdani',
  },
  urdu: {
    women: 'عائشہ=Ayesha, ثنا=Sana, حرا=Hira, زینب=Zainab, فائزہ=Faiza, نادیہ=Nadia, مہوش=Mehwish',
    men: 'عدنان=Adnan, بلال=Bilal, حمزہ=Hamza, شہزاد=Shahzad, عثمان=Usman, فیصل=Faisal, کامران=Kamran',
    families: 'احمد=Ahmed, بٹ=Butt, چوہدری=Chaudhry, خان=Khan, قریشی=Qureshi, ملک=Malik, شاہ=Shah',
  },
  hindi: {
    women:
      'अनन्या=Ananya, इशिता=Ishita, काव्या=Kavya, दीपिका=Deepika, नेहा=Neha, पूजा=Pooja, मीरा=Meera, रश्मि=Rashmi, सुनीता=Sunita, स्वाति=Swati',
    men: 'अर्जुन=Arjun, आदित्य=Aditya, करण=Karan, देव=Dev, निखिल=Nikhil, प्रकाश=Prakash, रोहन=Rohan, विक्रम=Vikram, संजय=Sanjay, हर्ष=Harsh',
    families:
      'अग्रवाल=Agarwal, कपूर=Kapoor, गुप्ता=Gupta, चौधरी=Chaudhary, जोशी=Joshi, त्रिपाठी=Tripathi, मिश्रा=Mishra, वर्मा=Verma, शर्मा=Sharma, सिंह=Singh',
  },
  southIndian: {
    women:
      'Aishwarya, Bhavani, Deepa, Kamala, Lakshmi, Madhavi, Nithya, Revathi, Sandhya, கவிதா=Kavitha, மாலதி=Malathi',
    men: 'Anand, Ganesh, Harish, Karthik, Manoj, Praveen, Raghav, Suresh, Vignesh, முருகன்=Murugan, செந்தில்=Senthil',
    families: 'Iyer, Krishnan, Menon, Nair, Naidu, Pillai, Rao, Reddy, Subramanian, Venkatesan, குமார்=Kumar',
  },
  bengali: {
    women: 'অনামিকা=Anamika, তানিয়া=Tania, নুসরাত=Nusrat, মৌসুমী=Mousumi, রূপা=Rupa, সুমাইয়া=Sumaiya',
    men: 'অভিজিৎ=Abhijit, আরিফ=Arif, জামাল=Jamal, তানভীর=Tanvir, রফিক=Rafiq, সৌরভ=Sourav',
    families: 'ইসলাম=Islam, চক্রবর্তী=Chakraborty, দাস=Das, রহমান=Rahman, সরকার=Sarkar, হোসেন=Hossain',
  },
  nepali: {
    women: 'आशा=Asha, कल्पना=Kalpana, प्रतिमा=Pratima, सरिता=Sarita, Dechen, Pema',
    men: 'दिपेन्द्र=Dipendra, प्रशान्त=Prashant, बिकास=Bikash, सुमन=Suman, Tashi, Sonam',
    families: 'अधिकारी=Adhikari, गुरुङ=Gurung, तामाङ=Tamang, थापा=Thapa, श्रेष्ठ=Shrestha, Dorji',
  },
  sinhala: {
    women: 'Chamari, Dilini, Hasini, Nadeesha, Sanduni, Tharushi',
    men: 'Asanka, Dinesh, Kasun, Lahiru, Nuwan, Ruwan',
    families: 'Bandara, de Silva, Fernando, Gunawardena, Jayasuriya, Perera, Wickramasinghe',
  },
  burmese: {
    women: 'Aye Chan, Hnin Si, Khin Mar, May Thu, Su Su, Thiri',
    men: 'Aung Ko, Kyaw Zin, Min Thu, Nay Lin, Thet Naing, Zaw Win',
    families: 'Aung, Htun, Kyaw, Lwin, Myint, Oo, Tun',
  },
  thai: {
    women: 'กานดา=Kanda, จันทร์เพ็ญ=Chanphen, ชลธิชา=Chonthicha, นภา=Napha, พลอย=Ploy, มาลี=Mali, รัตนา=Rattana, สุดา=Suda',
    men: 'กิตติ=Kitti, ชัยวัฒน์=Chaiwat, ธนากร=Thanakorn, ณัฐพล=Nattapon, ประเสริฐ=Prasert, วิชัย=Wichai, สมชาย=Somchai, อนันต์=Anan',
    families: 'แก้วมณี=Kaewmanee, จันทร์ดี=Chandee, ทองสุข=Thongsuk, บุญมา=Boonma, ศรีสุข=Srisuk, สุวรรณ=Suwan, วงศ์ใหญ่=Wongyai',
  },
  khmer: {
    women: 'Bopha, Chanthou, Kolab, Malis, Sreymom, Phonesavanh',
    men: 'Dara, Rithy, Sokha, Vannak, Veasna, Bounmy',
    families: 'Chea, Keo, Meas, Sok, Srey, Vongsa',
  },
  vietnamese: {
    women: 'Thị Hồng, Ánh, Diễm, Hương, Khánh Linh, Mai, Ngọc, Phương, Quỳnh, Thảo, Thu Hà, Yến',
    men: 'Anh Tuấn, Bảo, Công, Đức, Hải, Hùng, Khôi, Long, Minh, Quang, Tấn, Vũ',
    families: 'Bùi, Đặng, Đỗ, Hoàng, Huỳnh, Lê, Ngô, Nguyễn, Phạm, Phan, Trần, Võ',
  },
  malay: {
    women: 'Aisyah, Farah, Hidayah, Izzati, Nadia, Nurul, Siti Aminah, Zaleha',
    men: 'Afiq, Faizal, Hafiz, Imran, Khairul, Nizam, Syafiq, Zulkifli',
    families: 'Abdullah, Hashim, Ismail, Rahman, Tan, Yusof, Lim',
  },
  indonesian: {
    women: 'Ayu, Citra, Dewi, Fitri, Indah, Kartika, Ni Luh Sari, Putri, Ratna, Wulan',
    men: 'Adi, Agus, Bayu, Budi, Eko, Hendra, I Made Arta, Joko, Rizky, Wahyu',
    families: 'Gunawan, Hidayat, Kusuma, Lubis, Nasution, Pratama, Santoso, Setiawan, Siregar, Wijaya',
  },
  filipino: {
    women: 'Analyn, Bituin, Corazon, Dalisay, Jasmine, Liezl, Maricel, Rosario, Tala, Ligaya',
    men: 'Arnel, Bayani, Crisanto, Dante, Jericho, Jun, Manuel, Rodel, Rommel, Efren',
    families: 'Aquino, Bautista, Cruz, dela Cruz, Dimaculangan, Magsaysay, Pangilinan, Reyes, Santos, Villanueva',
  },
  chinese: {
    women:
      '婷=Ting, 慧敏=Huimin, 佳怡=Jiayi, 静=Jing, 丽华=Lihua, 梦瑶=Mengyao, 思雨=Siyu, 晓燕=Xiaoyan, 欣=Xin, 雪=Xue, 雅琴=Yaqin, 子涵=Zihan',
    men: '博文=Bowen, 国强=Guoqiang, 浩然=Haoran, 建华=Jianhua, 杰=Jie, 俊=Jun, 明=Ming, 伟=Wei, 文博=Wenbo, 晓东=Xiaodong, 宇航=Yuhang, 志刚=Zhigang',
    families:
      '陈=Chen, 高=Gao, 黄=Huang, 李=Li, 林=Lin, 刘=Liu, 王=Wang, 吴=Wu, 徐=Xu, 杨=Yang, 张=Zhang, 赵=Zhao, 周=Zhou, 欧阳=Ouyang',
  },
  taiwanese: {
    women: '雅婷=Ya-ting, 怡君=Yi-chun, 淑芬=Shu-fen, 佩珊=Pei-shan, 詩涵=Shih-han, 曉薇=Hsiao-wei',
    men: '家豪=Chia-hao, 志明=Chih-ming, 冠宇=Kuan-yu, 俊傑=Chun-chieh, 承恩=Cheng-en, 建宏=Chien-hung',
    families: '蔡=Tsai, 張=Chang, 陳=Chen, 黃=Huang, 劉=Liu, 謝=Hsieh, 許=Hsu, 葉=Yeh',
  },
  korean: {
    women:
      '가영=Gayoung, 나래=Narae, 다은=Daeun, 미경=Mikyung, 보라=Bora, 서연=Seoyeon, 수진=Sujin, 은지=Eunji, 지민=Jimin, 하늘=Haneul',
    men: '건우=Gunwoo, 대현=Daehyun, 도윤=Doyun, 동욱=Dongwook, 민준=Minjun, 상훈=Sanghoon, 성호=Sungho, 재석=Jaeseok, 준영=Junyoung, 태양=Taeyang',
    families: '강=Kang, 김=Kim, 박=Park, 서=Seo, 윤=Yoon, 이=Lee, 정=Jung, 조=Cho, 최=Choi, 한=Han',
  },
  japanese: {
    women:
      '葵=Aoi, 彩花=Ayaka, 恵美=Emi, 花子=Hanako, ひかり=Hikari, 香織=Kaori, 真由美=Mayumi, みどり=Midori, さくら=Sakura, 優子=Yuko, リナ=Rina, 千尋=Chihiro',
    men: '明=Akira, 大輔=Daisuke, 英樹=Hideki, 一郎=Ichiro, 健太=Kenta, 誠=Makoto, 直樹=Naoki, 蓮=Ren, 翔太=Shota, 拓也=Takuya, ゆうた=Yuta, ケン=Ken',
    families:
      '青木=Aoki, 伊藤=Ito, 加藤=Kato, 木村=Kimura, 小林=Kobayashi, 中村=Nakamura, 佐藤=Sato, 鈴木=Suzuki, 高橋=Takahashi, 田中=Tanaka, 渡辺=Watanabe, 山本=Yamamoto',
  },
  mongolian: {
    women: 'Алтанцэцэг=Altantsetseg, Болормаа=Bolormaa, Оюун=Oyuun, Сарнай=Sarnai',
    men: 'Батбаяр=Batbayar, Ганбаатар=Ganbaatar, Тэмүүлэн=Temuulen, Энхболд=Enkhbold',
    families: 'Бат=Bat, Дорж=Dorj, Сүхбат=Sukhbat, Цэрэн=Tseren',
  },
} satisfies Record<string, NameLists>;
